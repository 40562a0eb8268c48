package dev.postern.mail.message;

import jakarta.mail.MessagingException;
import jakarta.mail.Session;
import jakarta.mail.internet.MimeMessage;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.Date;
import java.util.List;
import java.util.Properties;
import java.util.stream.Stream;

/** The mails of {@code src/test/resources/mail}, each with the message expected in its payload. */
final class MailFiles {

    /** The arrival time of each mail. */
    static final Date RECEIVED = Date.from(Instant.parse("2026-11-21T07:00:00Z"));

    private static final Path DIRECTORY = Path.of("src/test/resources/mail");

    private MailFiles() {}

    /** The names of the files, without the ending {@code .eml}. */
    static List<String> names() throws IOException {
        try (Stream<Path> files = Files.list(DIRECTORY)) {
            return files.map(file -> file.getFileName().toString())
                    .filter(name -> name.endsWith(".eml"))
                    .map(name -> name.substring(0, name.length() - ".eml".length()))
                    .sorted()
                    .toList();
        }
    }

    static byte[] mail(String name) throws IOException {
        return Files.readAllBytes(DIRECTORY.resolve(name + ".eml"));
    }

    static Path expected(String name) {
        return DIRECTORY.resolve(name + ".json");
    }

    static MimeMessage message(byte[] mail) throws MessagingException {
        return new MimeMessage(Session.getInstance(new Properties()), new ByteArrayInputStream(mail)) {
            @Override
            public Date getReceivedDate() {
                return RECEIVED;
            }
        };
    }
}
