package dev.postern.mail.message;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import jakarta.mail.Flags;
import jakarta.mail.Folder;
import jakarta.mail.FolderClosedException;
import jakarta.mail.Message;
import jakarta.mail.MessageRemovedException;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Properties;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class ServerFaultFilterTest {

    private static final ServerMetadata RECEIVED = new ServerMetadata("7-1", null, null, List.of("INBOX"));

    private final MailReader reader = new MailReader("ann@example.com", true, 20_000);
    private final MeasuringSocketFactory sockets = new MeasuringSocketFactory();
    private ImapServer server;
    private Folder inbox;

    @BeforeEach
    void start() throws Exception {
        Properties settings = new Properties();
        settings.put("mail.imap.socketFactory", sockets);
        server = new ImapServer(settings);
        server.put(MailFiles.message(mailOf("A long line of a long text.\r\n".repeat(10_000))));
        inbox = server.open();
    }

    @AfterEach
    void stop() throws Exception {
        server.close();
    }

    /** Breaks within the headers, within the first piece of the text, and within a later one. */
    @ParameterizedTest
    @ValueSource(longs = {0, 10, 400, 2_000, 20_000, 60_000})
    void isThrownWhereverTheConnectionBreaks(long bytes) throws Exception {
        Message mail = inbox.getMessage(1);
        sockets.left.set(bytes);

        assertThatThrownBy(() -> reader.read(mail, RECEIVED)).isInstanceOf(FolderClosedException.class);
    }

    @Test
    void readsTheSameMailOnANewConnection() throws Exception {
        Message mail = inbox.getMessage(1);
        sockets.left.set(2_000);
        assertThatThrownBy(() -> reader.read(mail, RECEIVED)).isInstanceOf(FolderClosedException.class);
        sockets.left.set(Long.MAX_VALUE);

        MailHookPayload read = reader.read(server.open().getMessage(1), RECEIVED);

        assertThat(new String(read.payload(), StandardCharsets.UTF_8)).contains("A long line of a long text.");
    }

    @Test
    void isThrownForAMailThatIsGone() throws Exception {
        Message mail = inbox.getMessage(1);
        Folder other = server.open();
        other.getMessage(1).setFlag(Flags.Flag.DELETED, true);
        other.expunge();

        assertThatThrownBy(() -> reader.read(mail, RECEIVED)).isInstanceOf(MessageRemovedException.class);
        assertThat(inbox.isOpen()).isTrue();
    }

    /** Structures that make no sense, and responses without the requested data. */
    @ParameterizedTest
    @CsvSource({
        "BODYSTRUCTURE (, BODYSTRUCTURE )",
        "BODYSTRUCTURE (, BODYSTRUCTURE 7",
        "BODY[1], BODY[9]",
        "BODY[HEADER, BODY[FOOTER"
    })
    void isNotThrownWhereTheServerMakesNoSense(String sent, String arriving) throws Exception {
        byte[] mail = MailFiles.mail("nested");
        server.put(MailFiles.message(mail));
        Message last = server.open().getMessage(2);
        sockets.garble(sent, arriving);

        MailHookPayload fromServer = reader.read(last, RECEIVED);

        MailHookPayload fromFile = reader.read(MailFiles.message(mail), RECEIVED);
        assertThat(new String(fromServer.payload(), StandardCharsets.UTF_8))
                .contains("Grüße aus Köln")
                .contains("report.pdf");
        assertThat(fromServer.key()).isEqualTo(fromFile.key());
    }

    private static byte[] mailOf(String body) {
        return ("From: ann@example.org\r\nSubject: Long\r\nMessage-ID: <1@example.org>\r\n\r\n" + body)
                .getBytes(StandardCharsets.US_ASCII);
    }
}
