package dev.postern.mail.message;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.json.JsonMapper;
import java.nio.charset.StandardCharsets;
import java.util.List;
import org.junit.jupiter.api.Test;

class MailReaderTest {

    private static final String ACCOUNT = "ann@example.com";
    private static final ServerMetadata ELSEWHERE = new ServerMetadata("7-1", null, null, List.of("INBOX"));
    private static final ServerMetadata GMAIL =
            new ServerMetadata("7-1", "18f2a3b4c5d6e7f8", "18f2a3b4c5d6e000", List.of("INBOX", "Label\u0000 one"));
    private static final String MAIL =
            """
            From: =?utf-8?q?J=C3=B6rg?= <joerg@example.org>
            To: ann@example.com
            Subject: Lunch
            Date: Fri, 20 Nov 2026 09:12:00 +0100
            Message-ID: <1@example.org>

            Noon?
            """;

    @Test
    void writesTheWholePayload() throws Exception {
        MailHookPayload read = read(MAIL, ELSEWHERE);

        assertThat(new String(read.payload(), StandardCharsets.UTF_8))
                .isEqualTo(
                        """
                        {"source":"gmail","account":"ann@example.com","messages":[{"id":"1@example.org",\
                        "threadId":"1@example.org","from":"Jörg <joerg@example.org>","to":"ann@example.com",\
                        "subject":"Lunch","date":"2026-11-20T09:12:00+01:00","snippet":"Noon?","body":"Noon?",\
                        "reply":{"author":"joerg@example.org","address":"joerg@example.org",\
                        "references":"<1@example.org>","answerable":true},\
                        "labels":["INBOX"],"attachments":[]}]}""");
        assertThat(read.key()).matches("ann@example\\.com:1@example\\.org:[0-9a-f]{32}");
    }

    @Test
    void isNotMistakenForAMailThatBearsItsIdFirst() throws Exception {
        String forged = MAIL.replace("Noon?", "Never mind.");

        assertThat(read(forged, ELSEWHERE).id()).isEqualTo(read(MAIL, ELSEWHERE).id());
        assertThat(read(forged, ELSEWHERE).key())
                .isNotEqualTo(read(MAIL, ELSEWHERE).key());
    }

    @Test
    void keepsFieldsApartThatReadTheSameTogether() throws Exception {
        String one = MAIL.replace("Subject: Lunch", "Subject: Lunch at").replace("Noon?", "noon");
        String other = MAIL.replace("Noon?", "at noon");

        assertThat(read(one, ELSEWHERE).key())
                .isNotEqualTo(read(other, ELSEWHERE).key());
    }

    @Test
    void isKnownAgainInAnotherPlaceAndWithOtherSettings() throws Exception {
        ServerMetadata moved = new ServerMetadata("9-400", null, null, List.of("Archive"));
        String longMail = MAIL + "A line.\n".repeat(5_000);
        MailHookPayload brief = new MailReader(ACCOUNT, false, 100)
                .read(MailFiles.message(longMail.getBytes(StandardCharsets.UTF_8)), moved);

        assertThat(read(MAIL, moved).key()).isEqualTo(read(MAIL, ELSEWHERE).key());
        assertThat(brief.key()).isEqualTo(read(longMail, ELSEWHERE).key());
    }

    @Test
    void takesTheNamesOfGmail() throws Exception {
        MailHookPayload read = read(MAIL, GMAIL);

        assertThat(read.id()).isEqualTo("18f2a3b4c5d6e7f8");
        assertThat(read.key()).isEqualTo("ann@example.com:18f2a3b4c5d6e7f8");
        assertThat(message(read).path("id").asText()).isEqualTo("18f2a3b4c5d6e7f8");
        assertThat(message(read).path("threadId").asText()).isEqualTo("18f2a3b4c5d6e000");
        assertThat(message(read).path("labels").path(1).asText()).isEqualTo("Label one");
    }

    @Test
    void leavesTheBodyOutAndKeepsTheSnippet() throws Exception {
        MailReader snippets = new MailReader(ACCOUNT, false, 20_000);

        JsonNode message = message(snippets.read(
                MailFiles.message((MAIL + "x ".repeat(3_000)).getBytes(StandardCharsets.UTF_8)), ELSEWHERE));

        assertThat(message.has("body")).isFalse();
        assertThat(message.has("bodyTruncated")).isFalse();
        assertThat(message.path("snippet").asText()).startsWith("Noon? x x").hasSizeLessThanOrEqualTo(200);
    }

    @Test
    void cutsABodyBetweenTwoCharacters() throws Exception {
        for (int maxBytes = 6; maxBytes < 20; maxBytes++) {
            MailReader brief = new MailReader(ACCOUNT, true, maxBytes);

            JsonNode message = message(brief.read(
                    MailFiles.message((MAIL.strip() + " 😀 ä €").getBytes(StandardCharsets.UTF_8)), ELSEWHERE));

            String body = message.path("body").asText();
            assertThat("Noon? 😀 ä €").startsWith(body);
            assertThat(body.getBytes(StandardCharsets.UTF_8)).hasSizeLessThanOrEqualTo(maxBytes);
            assertThat(message.path("bodyTruncated").asBoolean()).isEqualTo(maxBytes < 17);
        }
    }

    @Test
    void boundsTheNamesOfALongAccount() throws Exception {
        String account = "a".repeat(100) + "@example.com";
        MailHookPayload read =
                new MailReader(account, true, 20_000).read(MailFiles.message(MailFiles.mail("long-ids")), ELSEWHERE);

        assertThat(read.id()).hasSize(160);
        assertThat(read.key()).startsWith("a".repeat(60) + ":xxx").hasSizeLessThanOrEqualTo(255);
    }

    private static MailHookPayload read(String mail, ServerMetadata serverMetadata) throws Exception {
        return new MailReader(ACCOUNT, true, 20_000)
                .read(MailFiles.message(mail.getBytes(StandardCharsets.UTF_8)), serverMetadata);
    }

    private static JsonNode message(MailHookPayload read) throws Exception {
        return new JsonMapper().readTree(read.payload()).path("messages").path(0);
    }
}
