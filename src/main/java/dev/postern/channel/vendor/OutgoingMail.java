package dev.postern.channel.vendor;

import dev.postern.channel.Channel.Message;
import dev.postern.channel.text.HtmlDocument;
import jakarta.mail.MessagingException;
import jakarta.mail.internet.MimeUtility;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.util.List;
import java.util.Locale;
import java.util.stream.Stream;

/**
 * A mail with one part of a reply (RFC 5322), as text and as HTML. It says that a program has written it (RFC 3834), so that
 * other programs don't answer. It is the same in each attempt.
 *
 * @param from the sender's address
 * @param message the part to send
 */
record OutgoingMail(String from, MailRecipient recipient, Message message) {

    private static final DateTimeFormatter DATE = DateTimeFormatter.ofPattern("EEE, d MMM uuuu HH:mm:ss Z", Locale.ROOT)
            .withZone(ZoneOffset.UTC);

    private static final String CRLF = "\r\n";
    private static final int LONGEST_SUBJECT = 100;

    /** The length up to which a line is searched for a subject: the time for its marks grows with the square of it. */
    private static final int LONGEST_LINE = 1_000;

    /** The id of the mail in angle brackets, the same in each attempt. */
    String id() {
        return "<" + message.id() + from.substring(from.indexOf('@')) + ">";
    }

    /** The mail, ASCII with lines of at most 998 characters. */
    byte[] bytes() {
        ByteArrayOutputStream out = new ByteArrayOutputStream();
        String boundary = "=_" + message.id();
        try {
            for (String line : headers(boundary)) {
                write(out, line + CRLF);
            }
            write(out, CRLF);
            part(out, boundary, "text/plain", message.text());
            part(out, boundary, "text/html", HtmlDocument.of(message.text()));
            write(out, "--" + boundary + "--" + CRLF);
        } catch (IOException | MessagingException e) {
            throw new UncheckedIOException(new IOException("bytes in memory can be written", e));
        }
        return out.toByteArray();
    }

    private List<String> headers(String boundary) throws IOException {
        List<String> references = recipient.references();
        Stream<String> thread = references.isEmpty()
                ? Stream.of()
                : Stream.of(
                        "In-Reply-To: " + references.get(references.size() - 1),
                        "References: " + String.join(CRLF + " ", references));
        Stream<String> others = Stream.of(
                "Date: " + DATE.format(message.createdAt()),
                "From: " + from,
                "To: " + recipient.address(),
                "Subject: " + subject(),
                "Message-ID: " + id(),
                "Auto-Submitted: auto-replied",
                "X-Auto-Response-Suppress: All",
                "X-Postern-Delivery: " + message.id(),
                "MIME-Version: 1.0",
                "Content-Type: multipart/alternative; boundary=\"" + boundary + "\"");
        return Stream.concat(others, thread).toList();
    }

    private String subject() throws IOException {
        String subject = recipient.subject(firstLine());
        return MimeUtility.fold("Subject: ".length(), MimeUtility.encodeText(subject, "UTF-8", "B"));
    }

    /** The first line of the text without Markdown's marks at its ends. */
    private String firstLine() {
        String line = message.text()
                .strip()
                .lines()
                .findFirst()
                .map(first -> first.substring(0, Math.min(first.length(), LONGEST_LINE)))
                .orElse("")
                .replaceAll("[\\p{Cntrl}\\p{Cs}\\u2028\\u2029]", " ")
                .replaceAll("^[#*_>`~\\s-]+|[#*_`~\\s]+$", "");
        if (line.isEmpty()) {
            return "Reply";
        }
        return line.codePointCount(0, line.length()) > LONGEST_SUBJECT
                ? line.substring(0, line.offsetByCodePoints(0, LONGEST_SUBJECT)) + "…"
                : line;
    }

    private static void part(OutputStream out, String boundary, String type, String text)
            throws IOException, MessagingException {
        write(
                out,
                "--" + boundary + CRLF + "Content-Type: " + type + "; charset=utf-8" + CRLF
                        + "Content-Transfer-Encoding: quoted-printable" + CRLF + CRLF);
        OutputStream encoder = MimeUtility.encode(out, "quoted-printable");
        encoder.write(text.replaceAll("\\R", CRLF).getBytes(StandardCharsets.UTF_8));
        encoder.flush();
        write(out, CRLF);
    }

    private static void write(OutputStream out, String text) throws IOException {
        out.write(text.getBytes(StandardCharsets.US_ASCII));
    }
}
