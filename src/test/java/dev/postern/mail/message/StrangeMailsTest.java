package dev.postern.mail.message;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.json.JsonMapper;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Tests that any mail is read, and that its payload is JSON within its limits without control characters. */
@Tag("long")
class StrangeMailsTest {

    private static final int MAX_BYTES = 2_000;
    private static final JsonMapper JSON = new JsonMapper();

    private static final MailReader READER = new MailReader("ann@example.com", true, MAX_BYTES);

    @Test
    void readsTwoThousandDamagedMails() throws Exception {
        List<byte[]> mails = new ArrayList<>();
        for (String name : MailFiles.names()) {
            mails.add(MailFiles.mail(name));
        }
        Random random = new Random(20_261_122);
        for (int i = 0; i < 2_000; i++) {
            byte[] mail = mails.get(random.nextInt(mails.size()));
            byte[] damaged = damaged(mail, mails.get(random.nextInt(mails.size())), random);

            assertIsRead(damaged);
        }
    }

    @Test
    void readsMailsOfNoise() throws Exception {
        Random random = new Random(7);
        for (int i = 0; i < 200; i++) {
            byte[] noise = new byte[random.nextInt(3_000)];
            random.nextBytes(noise);

            assertIsRead(noise);
        }
    }

    @Test
    void readsHtmlThatIsNestedOrRepeatedWithoutEnd() throws Exception {
        for (String piece : List.of(
                "<div>",
                "<b>",
                "<table><tr><td>",
                "<ul><li>",
                "<p hidden>",
                "<a href='http://e.com'>x",
                "</p>",
                "<",
                "&#",
                "&#1",
                "<!--",
                "<![CDATA[",
                "<?",
                "<x a=",
                "<svg><style>",
                "<select><option>",
                "<textarea>",
                "<plaintext>",
                "<td></div>",
                "<title>",
                "&#99999999999;",
                "<!DOCTYPE ",
                "<script><!--<script>",
                "\"'>",
                "<p style='/*",
                "<template>")) {
            assertIsRead(("Subject: x\r\nContent-Type: text/html\r\n\r\n" + piece.repeat(200_000 / piece.length()))
                    .getBytes(StandardCharsets.US_ASCII));
        }
    }

    @Test
    void readsHeadersThatAreRepeatedWithoutEnd() throws Exception {
        for (String piece : List.of(
                "(",
                "\"",
                "<",
                ",",
                ">",
                "\\",
                "=?utf-8?q?=",
                "=?utf-8?b?////?= ",
                "=?iso-2022-jp?b?GyRC?=",
                "a@b,",
                ";x*0*=",
                "%",
                "=E2=80=AE",
                " \r\n ",
                "\u0000",
                "\u202E",
                "\u00e9")) {
            String value = piece.repeat(100_000 / piece.length());
            for (String name : List.of(
                    "From",
                    "Subject",
                    "Date",
                    "Message-ID",
                    "References",
                    "Content-Type: text/plain; x",
                    "Content-Type: multipart/mixed; boundary",
                    "Content-Disposition",
                    "Content-Transfer-Encoding")) {
                assertIsRead((name + ": " + value + "\r\n\r\ntext").getBytes(StandardCharsets.UTF_8));
            }
        }
    }

    /** Asserts that {@code mail} is read as any mail should be. */
    static void assertIsRead(byte[] mail) throws Exception {
        MailHookPayload read =
                READER.read(MailFiles.message(mail), new ServerMetadata("7-1", null, null, List.of("IN\u0000BOX")));

        JsonNode message = JSON.readTree(read.payload()).path("messages").path(0);
        assertThat(read.payload()).hasSizeLessThan(60_000);
        assertThat(message.path("body").asText().getBytes(StandardCharsets.UTF_8))
                .hasSizeLessThanOrEqualTo(MAX_BYTES);
        assertThat(message.path("id").asText()).isEqualTo(read.id()).hasSizeBetween(1, 160);
        assertThat(read.key()).hasSizeBetween(1, 255);
        assertThat(read.key().chars()).noneMatch(Character::isISOControl);
        assertIsClean(message);
    }

    private static void assertIsClean(JsonNode node) {
        if (node.isTextual()) {
            assertThat(node.asText().chars()).noneMatch(c -> Character.isISOControl(c) && c != '\n' && c != '\t');
            assertThat(StandardCharsets.UTF_8.newEncoder().canEncode(node.asText()))
                    .isTrue();
        }
        node.forEach(StrangeMailsTest::assertIsClean);
    }

    private static byte[] damaged(byte[] mail, byte[] other, Random random) throws IOException {
        ByteArrayOutputStream damaged = new ByteArrayOutputStream();
        int from = 0;
        for (int wound : IntStream.generate(() -> random.nextInt(mail.length + 1))
                .limit(1 + random.nextInt(8))
                .sorted()
                .toArray()) {
            if (wound < from) {
                continue;
            }
            damaged.write(mail, from, wound - from);
            int length = random.nextInt(40);
            from = wound;
            switch (random.nextInt(5)) {
                case 0 -> from = Math.min(mail.length, wound + length);
                case 1 -> damaged.write(mail, wound, Math.min(length, mail.length - wound));
                case 2 -> damaged.write(random.nextInt(256));
                case 3 -> {
                    int start = random.nextInt(other.length + 1);
                    damaged.write(other, start, Math.min(length * 10, other.length - start));
                }
                default -> from = random.nextInt(10) == 0 ? mail.length : wound;
            }
        }
        damaged.write(mail, from, mail.length - from);
        return damaged.toByteArray();
    }
}
