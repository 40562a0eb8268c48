package dev.postern.mail.message;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.json.JsonMapper;
import com.sun.management.ThreadMXBean;
import jakarta.mail.Folder;
import jakarta.mail.Message;
import java.lang.management.ManagementFactory;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Base64;
import java.util.List;
import java.util.Properties;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Tests that mails of 20 MB cost traffic and memory only for the part that is shown. */
@Tag("long")
class LargeMailsTest {

    private static final int LARGE = 20 << 20;
    private static final int MAX_BYTES = 20_000;
    private static final String HEADERS =
            "From: ann@example.org\r\nSubject: Large\r\nMessage-ID: <1@example.org>\r\nMIME-Version: 1.0\r\n";
    private static final ThreadMXBean THREADS = (ThreadMXBean) ManagementFactory.getThreadMXBean();

    private final MailReader reader = new MailReader("ann@example.com", true, MAX_BYTES);
    private final MeasuringSocketFactory sockets = new MeasuringSocketFactory();
    private ImapServer server;
    private long fetched;
    private long allocated;
    private Duration spent = Duration.ZERO;

    @BeforeEach
    void start() throws Exception {
        Properties settings = new Properties();
        settings.put("mail.imap.socketFactory", sockets);
        server = new ImapServer(settings);
        read("Content-Type: text/html\r\n\r\n<p>Load what is needed.");
    }

    @AfterEach
    void stop() throws Exception {
        server.close();
    }

    @Test
    void leavesALargeAttachmentOnTheServer() throws Exception {
        String base64 = Base64.getMimeEncoder().encodeToString(new byte[LARGE]);

        JsonNode mail = read("Content-Type: multipart/mixed; boundary=b\r\n\r\n--b\r\n\r\n"
                + "--b\r\nContent-Type: text/plain\r\n\r\nSee the film.\r\n"
                + "--b\r\nContent-Type: video/mp4; name=film.mp4\r\nContent-Transfer-Encoding: base64\r\n\r\n"
                + base64 + "\r\n--b--\r\n");

        assertThat(mail.path("body").asText()).isEqualTo("See the film.");
        assertThat(mail.path("attachments").path(0).path("name").asText()).isEqualTo("film.mp4");
        assertThat(mail.path("attachments").path(0).path("size").asLong())
                .isBetween(LARGE * 95L / 100, LARGE * 105L / 100);
        assertThat(fetched).isLessThan(5_000);
        assertThat(allocated).isLessThan(2_000_000);
    }

    @Test
    void readsTheBeginningOfALargeText() throws Exception {
        JsonNode mail = read("Content-Type: text/plain\r\n\r\n" + "All work and no play.\r\n".repeat(LARGE / 23));

        assertThat(mail.path("body").asText()).hasSizeBetween(MAX_BYTES - 30, MAX_BYTES);
        assertThat(mail.path("bodyTruncated").asBoolean()).isTrue();
        assertThat(fetched).isLessThan(6 * MAX_BYTES);
        assertThat(allocated).isLessThan(2_000_000);
    }

    @Test
    void readsTheBeginningOfLargeHtml() throws Exception {
        JsonNode mail =
                read("Content-Type: text/html\r\n\r\n" + "<p>All <b>work</b> and no play.\r\n".repeat(LARGE / 33));

        assertThat(mail.path("body").asText()).hasSizeBetween(MAX_BYTES - 30, MAX_BYTES);
        assertThat(mail.path("bodyTruncated").asBoolean()).isTrue();
        assertThat(fetched).isLessThan(6 * MAX_BYTES);
        assertThat(allocated).isLessThan(4_000_000);
    }

    @Test
    void readsTheFirstWordsBehindALargeStyle() throws Exception {
        JsonNode mail =
                read("Content-Type: text/html\r\n\r\n<style>" + "a{}\r\n".repeat((1 << 20) / 5) + "</style>Hello");

        assertThat(mail.path("body").asText()).isEqualTo("Hello");
        assertThat(mail.has("bodyTruncated")).isFalse();
        assertThat(allocated).isLessThan(30_000_000);
    }

    @Test
    void givesUpBeforeTheFirstWordBehindTooLargeAnAttribute() throws Exception {
        JsonNode mail = read("Content-Type: text/html\r\n\r\nHello<p title='" + "x".repeat(5 << 20) + "'>Bye");

        assertThat(mail.path("body").asText()).isEqualTo("Hello");
        assertThat(mail.path("bodyTruncated").asBoolean()).isTrue();
        assertThat(fetched).isLessThan(2_500_000);
        assertThat(allocated).isLessThan(40_000_000);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "<div>",
                "<b>",
                "<a href='http://e.com'>",
                "<font><p>",
                "<table><tr><td>",
                "<b><i></b>",
                "<b id=%s>x<p>",
                "<table>x"
            })
    void readsTagsNestedWithoutEndInLinearTime(String piece) throws Exception {
        String html = IntStream.range(0, 160_000)
                .mapToObj(i -> piece.formatted(i % 12))
                .collect(Collectors.joining());

        JsonNode mail = read("Content-Type: text/html\r\n\r\nHello<p>" + html);

        assertThat(mail.path("body").asText()).startsWith("Hello");
        assertThat(spent).isLessThan(Duration.ofSeconds(10));
        assertThat(allocated).isLessThan(60_000_000);
    }

    @Test
    void namesTheFirstOfThreeThousandParts() throws Exception {
        JsonNode mail = read("Content-Type: multipart/mixed; boundary=b\r\n\r\n"
                + "--b\r\nContent-Type: image/gif\r\n\r\nx\r\n".repeat(3_000) + "--b--\r\n");

        assertThat(mail.path("attachments")).hasSize(100);
        assertThat(fetched).isLessThan(60 * 3_000);
    }

    private JsonNode read(String mail) throws Exception {
        server.put(MailFiles.message((HEADERS + mail).getBytes(StandardCharsets.US_ASCII)));
        Folder inbox = server.open();
        Message last = inbox.getMessage(inbox.getMessageCount());
        long fetchedBefore = sockets.bytes.get();
        long allocatedBefore = THREADS.getCurrentThreadAllocatedBytes();
        long spentBefore = THREADS.getCurrentThreadCpuTime();
        MailHookPayload read = reader.read(last, new ServerMetadata("7-1", null, null, List.of()));
        fetched = sockets.bytes.get() - fetchedBefore;
        spent = Duration.ofNanos(THREADS.getCurrentThreadCpuTime() - spentBefore);
        allocated = THREADS.getCurrentThreadAllocatedBytes() - allocatedBefore;
        return new JsonMapper().readTree(read.payload()).path("messages").path(0);
    }
}
