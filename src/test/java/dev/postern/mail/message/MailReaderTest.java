package dev.postern.mail.message;

import static org.assertj.core.api.Assertions.assertThat;

import jakarta.mail.internet.MimeMessage;
import java.io.ByteArrayInputStream;
import java.nio.charset.StandardCharsets;
import java.util.List;
import org.junit.jupiter.api.Test;

class MailReaderTest {

    @Test
    void readsAMailOfPlainText() throws Exception {
        String mail =
                """
                From: =?utf-8?q?J=C3=B6rg?= <joerg@example.org>
                To: ann@example.com
                Subject: Lunch
                Date: Fri, 20 Nov 2026 09:12:00 +0100
                Message-ID: <1@example.org>

                Noon?
                """;
        MimeMessage message = new MimeMessage(null, new ByteArrayInputStream(mail.getBytes(StandardCharsets.US_ASCII)));

        ReadMail read = new MailReader("ann@example.com", true, 20_000)
                .read(message, new Received("7-1", null, null, List.of("INBOX")));

        assertThat(new String(read.payload(), StandardCharsets.UTF_8))
                .isEqualTo(
                        """
                        {"source":"gmail","account":"ann@example.com","messages":[{"id":"1@example.org",\
                        "threadId":"1@example.org","from":"Jörg <joerg@example.org>","to":"ann@example.com",\
                        "subject":"Lunch","date":"2026-11-20T09:12:00+01:00","snippet":"Noon?","body":"Noon?",\
                        "labels":["INBOX"],"attachments":[]}]}""");
        assertThat(read.key()).matches("ann@example\\.com:1@example\\.org:[0-9a-f]{32}");
    }
}
