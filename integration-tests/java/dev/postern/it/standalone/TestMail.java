package dev.postern.it.standalone;

import jakarta.mail.Message.RecipientType;
import jakarta.mail.MessagingException;
import jakarta.mail.Session;
import jakarta.mail.internet.InternetAddress;
import jakarta.mail.internet.MimeMessage;
import java.io.UnsupportedEncodingException;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.Date;
import java.util.Properties;
import java.util.UUID;

/**
 * A mail that somebody has sent.
 *
 * @param id its Message-ID
 * @param sender the name that its sender has
 */
record TestMail(String id, String sender, String subject, String text) {

    private static final String UTF_8 = StandardCharsets.UTF_8.name();
    private static final Date SENT = Date.from(Instant.parse("2026-11-22T08:00:00Z"));

    /** One that there was never before. */
    static TestMail about(String subject) {
        return new TestMail(newId(), "Ann", subject, "The text about " + subject + ".");
    }

    /** An id that no other mail has. */
    static String newId() {
        return "<" + UUID.randomUUID() + "@it.example>";
    }

    /** The mail as it is sent to {@code account}. */
    MimeMessage message(String account) {
        try {
            MimeMessage mail = new MimeMessage(Session.getInstance(new Properties()));
            mail.setFrom(new InternetAddress("ann@example.com", sender, UTF_8));
            mail.setRecipients(RecipientType.TO, account);
            mail.setSubject(subject, UTF_8);
            mail.setSentDate(SENT);
            mail.setText(text, UTF_8);
            mail.saveChanges();
            mail.setHeader("Message-ID", id);
            return mail;
        } catch (MessagingException | UnsupportedEncodingException e) {
            throw new IllegalStateException("not a mail", e);
        }
    }
}
