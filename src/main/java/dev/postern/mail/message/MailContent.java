package dev.postern.mail.message;

import jakarta.mail.Message;
import jakarta.mail.MessagingException;
import jakarta.mail.internet.MimeMessage;
import jakarta.mail.internet.MimePart;
import jakarta.mail.util.SharedByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.util.List;
import org.eclipse.angus.mail.imap.IMAPMessage;
import org.jspecify.annotations.Nullable;

/**
 * The content of a mail: its text and its list of attachments.
 *
 * @param text empty if no text can be read
 * @param cut whether the text was cut
 * @param refused whether there is nothing here because the server gave nothing of the mail
 */
record MailContent(String text, boolean cut, List<Attachment> attachments, boolean refused) {

    private static final MailContent NOTHING = new MailContent("", false, List.of(), false);
    private static final MailContent REFUSED = new MailContent("", false, List.of(), true);

    private static final int MAX_WHOLE_BYTES = 1 << 20;

    /**
     * Reads the content by the structure that the server reports, or else from the beginning of the mail as it was sent.
     *
     * @throws MessagingException if the connection to the server failed
     */
    static MailContent of(Message mail, int maxBytes) throws MessagingException {
        MailContent content = attempt(mail, () -> read((MimePart) mail, maxBytes));
        if (content != null && !(content.isNothing() && mail instanceof IMAPMessage)) {
            return content;
        }
        MimeMessage beginning = attempt(mail, () -> beginning(mail));
        if (beginning == null) {
            return REFUSED;
        }
        MailContent whole = attempt(mail, () -> read(beginning, maxBytes));
        return whole == null ? NOTHING : whole;
    }

    /**
     * The mail as it was sent, up to the limit of 1 MiB.
     *
     * @throws MessagingException if the server can't be asked
     * @throws IOException if the server doesn't answer or gives nothing
     */
    static MimeMessage beginning(Message mail) throws MessagingException, IOException {
        byte[] bytes;
        if (mail instanceof IMAPMessage imap) {
            try (InputStream whole = imap.getMimeStream()) {
                bytes = whole.readNBytes(MAX_WHOLE_BYTES);
            }
            if (bytes.length == 0) {
                throw new IOException("the server gives nothing of the mail");
            }
        } else {
            Beginning beginning = new Beginning();
            mail.writeTo(beginning);
            bytes = beginning.toByteArray();
        }
        return new MimeMessage(null, new SharedByteArrayInputStream(bytes));
    }

    /** The same content, its text cut to {@code maxBytes} bytes of UTF-8. */
    MailContent within(int maxBytes) {
        BodyText within = new BodyText(maxBytes);
        within.append(text);
        return new MailContent(within.toString(), cut || within.isCut(), attachments, refused);
    }

    private boolean isNothing() {
        return text.isEmpty() && attachments.isEmpty();
    }

    private static MailContent read(MimePart mail, int maxBytes) throws MessagingException, IOException {
        MessageStructure.Found found = MessageStructure.of(mail);
        BodyText text = TextPartReader.read(found.text(), maxBytes);
        return new MailContent(text.toString(), text.isCut(), found.attachments(), false);
    }

    private interface Attempt<T> {
        T run() throws MessagingException, IOException;
    }

    private static <T> @Nullable T attempt(Message mail, Attempt<T> attempt) throws MessagingException {
        try {
            return attempt.run();
        } catch (MessagingException | IOException | RuntimeException | StackOverflowError e) {
            ServerFaultFilter.rethrow(mail, e);
            return null;
        }
    }

    /** A stream that keeps the first bytes written to it. */
    private static final class Beginning extends OutputStream {

        private final ByteArrayOutputStream kept = new ByteArrayOutputStream();

        @Override
        public void write(int b) {
            if (kept.size() < MAX_WHOLE_BYTES) {
                kept.write(b);
            }
        }

        @Override
        public void write(byte[] bytes, int offset, int length) {
            kept.write(bytes, offset, Math.min(length, MAX_WHOLE_BYTES - kept.size()));
        }

        byte[] toByteArray() {
            return kept.toByteArray();
        }
    }
}
