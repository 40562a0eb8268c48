package dev.postern.mail.message;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.json.JsonMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import jakarta.mail.Flags;
import jakarta.mail.Folder;
import jakarta.mail.Message;
import java.io.IOException;
import java.nio.file.Files;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Tests that each mail of {@code src/test/resources/mail} becomes its payload, both from a file and from a server. */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class MailFilesTest {

    private static final JsonMapper JSON = new JsonMapper();
    private static final ServerMetadata RECEIVED = new ServerMetadata("7-1", null, null, List.of("INBOX"));

    private final MailReader reader = new MailReader("ann@example.com", true, 20_000);
    private final List<String> names = new ArrayList<>();
    private ImapServer server;
    private Folder inbox;

    @BeforeAll
    void fillAMailbox() throws Exception {
        server = new ImapServer();
        for (String name : MailFiles.names()) {
            names.add(name);
            server.put(MailFiles.message(MailFiles.mail(name)));
        }
        inbox = server.open();
    }

    @AfterAll
    void close() throws Exception {
        server.close();
    }

    List<String> names() throws Exception {
        return MailFiles.names();
    }

    @ParameterizedTest
    @MethodSource("names")
    void becomesThePayloadBesideIt(String name) throws Exception {
        MailHookPayload read = reader.read(MailFiles.message(MailFiles.mail(name)), RECEIVED);

        JsonNode payload = JSON.readTree(read.payload());
        assertThat(payload.path("messages").path(0))
                .isEqualTo(JSON.readTree(Files.readAllBytes(MailFiles.expected(name))));
    }

    @ParameterizedTest
    @MethodSource("names")
    void isTheSameOnAServerAndStaysUnread(String name) throws Exception {
        MailHookPayload fromFile = reader.read(MailFiles.message(MailFiles.mail(name)), RECEIVED);
        Message mail = inbox.getMessage(names.indexOf(name) + 1);

        MailHookPayload fromServer = reader.read(mail, RECEIVED);

        assertThat(withoutSizes(fromServer)).isEqualTo(withoutSizes(fromFile));
        assertThat(fromServer.key()).isEqualTo(fromFile.key());
        assertThat(mail.isSet(Flags.Flag.SEEN)).isFalse();
    }

    /** Removes the sizes, because GreenMail counts the headers of a part as part of its octets. */
    private static String withoutSizes(MailHookPayload mail) throws IOException {
        JsonNode payload = JSON.readTree(mail.payload());
        payload.path("messages").path(0).path("attachments").forEach(one -> ((ObjectNode) one).remove("size"));
        return payload.toPrettyString();
    }
}
