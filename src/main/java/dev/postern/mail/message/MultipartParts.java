package dev.postern.mail.message;

import jakarta.activation.DataSource;
import jakarta.mail.MessagingException;
import jakarta.mail.MultipartDataSource;
import jakarta.mail.internet.MimeBodyPart;
import jakarta.mail.internet.MimeMultipart;
import jakarta.mail.internet.MimePart;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.util.ArrayList;
import java.util.List;

/**
 * The parts of a multipart as the server lists them, or else as they are found between its boundaries. The last boundary
 * may be missing, and the header may name no boundary or a wrong one.
 */
final class MultipartParts extends MimeMultipart {

    private final boolean anyBoundary;

    private MultipartParts(DataSource source, boolean anyBoundary) throws MessagingException {
        super(source);
        this.anyBoundary = anyBoundary;
    }

    /**
     * The parts of {@code multipart}; empty if nothing looks like a part.
     *
     * @throws MessagingException if the server can't be asked
     */
    static List<MimePart> of(MimePart multipart) throws MessagingException {
        if (multipart.getDataHandler().getDataSource() instanceof MultipartDataSource listed) {
            List<MimePart> children = new ArrayList<>();
            for (int i = 0; i < listed.getCount(); i++) {
                children.add((MimePart) listed.getBodyPart(i));
            }
            return children;
        }
        List<MimePart> children = between(multipart, false);
        return children.isEmpty() ? between(multipart, true) : children;
    }

    private static List<MimePart> between(MimePart multipart, boolean anyBoundary) throws MessagingException {
        MultipartParts found = new MultipartParts(new Raw(multipart), anyBoundary);
        List<MimePart> children = new ArrayList<>();
        for (int i = 0; i < found.getCount(); i++) {
            children.add((MimePart) found.getBodyPart(i));
        }
        return children;
    }

    @Override
    protected synchronized void parse() throws MessagingException {
        try {
            super.parse();
        } catch (EnoughParts e) {
            parsed = true;
        }
    }

    /** Limits the parts, because Jakarta Mail looks up a service for each one, and this costs more than all the rest. */
    @Override
    protected MimeBodyPart createMimeBodyPart(InputStream part) throws MessagingException {
        if (parts.size() >= MessageStructure.MAX_PARTS) {
            throw new EnoughParts();
        }
        return super.createMimeBodyPart(part);
    }

    @Override
    protected void initializeProperties() {
        ignoreMissingEndBoundary = true;
        ignoreMissingBoundaryParameter = true;
        ignoreExistingBoundaryParameter = anyBoundary;
        allowEmpty = true;
    }

    private static final class EnoughParts extends MessagingException {}

    /** The bytes of a multipart, with a header at which Jakarta Mail's parser can't fail. */
    private record Raw(MimePart multipart) implements DataSource {

        @Override
        public InputStream getInputStream() throws IOException {
            try {
                return PartContentReader.raw(multipart);
            } catch (MessagingException e) {
                throw new IOException("the part can't be read", e);
            }
        }

        @Override
        public String getContentType() {
            String boundary = "";
            try {
                boundary = MediaType.of(multipart.getContentType()).parameters().getOrDefault("boundary", "");
            } catch (MessagingException e) {
                throw new IllegalStateException("a header that was read before can be read again", e);
            }
            return boundary.isBlank()
                    ? "multipart/mixed"
                    : "multipart/mixed; boundary=\"" + boundary.replaceAll("([\"\\\\])", "\\\\$1") + '"';
        }

        @Override
        public String getName() {
            return "";
        }

        @Override
        public OutputStream getOutputStream() throws IOException {
            throw new IOException("a mail is only read");
        }
    }
}
