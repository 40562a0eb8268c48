package dev.postern.mail.message;

import jakarta.mail.MessagingException;
import jakarta.mail.Part;
import jakarta.mail.internet.MimePart;
import jakarta.mail.internet.ParseException;
import java.util.Map;

/** The name, disposition and size of a part, read from its headers alone. */
final class PartMetadata {

    private static final int MAX_CHARS = 200;

    private static final Map<String, String> BY_TYPE = Map.ofEntries(
            Map.entry("message/rfc822", "message.eml"),
            Map.entry("message/global", "message.eml"),
            Map.entry("message/delivery-status", "delivery-status.txt"),
            Map.entry("message/disposition-notification", "disposition-notification.txt"),
            Map.entry("text/rfc822-headers", "headers.txt"),
            Map.entry("text/calendar", "invite.ics"),
            Map.entry("text/html", "unnamed.html"),
            Map.entry("text/plain", "unnamed.txt"),
            Map.entry("application/ms-tnef", "winmail.dat"),
            Map.entry("application/pkcs7-mime", "smime.p7m"),
            Map.entry("application/x-pkcs7-mime", "smime.p7m"),
            Map.entry("application/pkcs7-signature", "smime.p7s"),
            Map.entry("application/x-pkcs7-signature", "smime.p7s"),
            Map.entry("application/pgp-signature", "signature.asc"));

    private PartMetadata() {}

    /** Whether the sender marked the part as an attachment. */
    static boolean isAttached(MimePart part) throws MessagingException {
        String disposition;
        try {
            disposition = part.getDisposition();
        } catch (ParseException e) {
            disposition =
                    HeaderParameters.of(header(part, "Content-Disposition")).value();
        }
        return Part.ATTACHMENT.equalsIgnoreCase(disposition);
    }

    /** The last segment of the part's file name; empty if it has none. */
    static String of(MimePart part) throws MessagingException {
        String sent;
        try {
            sent = part.getFileName();
        } catch (ParseException e) {
            sent = HeaderParameters.of(header(part, "Content-Disposition"))
                    .parameters()
                    .get("filename");
        }
        if (sent == null) {
            return "";
        }
        String name = EncodedWordDecoder.decode(sent);
        int slash = Math.max(name.lastIndexOf('/'), name.lastIndexOf('\\'));
        String last = SingleLineText.line(
                name.substring(slash + 1).replaceAll("[\u061C\u200E\u200F\u202A-\u202E\u2066-\u2069]", ""), MAX_CHARS);
        return last.matches("\\.*") ? "" : last;
    }

    /** The part's name in a list of attachments. */
    static String shown(MimePart part, String type) throws MessagingException {
        String name = of(part);
        return name.isEmpty() ? BY_TYPE.getOrDefault(type, "unnamed") : name;
    }

    /**
     * The approximate decoded size in bytes; -1 if unknown. It is computed from the encoded size, which servers report: see
     * {@link TransferEncoding#decodedSize}.
     */
    static long size(MimePart part) throws MessagingException {
        String encoding = part.getEncoding();
        return TransferEncoding.decodedSize(part.getSize(), encoding == null ? "" : encoding);
    }

    private static String header(MimePart part, String name) throws MessagingException {
        String sent = part.getHeader(name, null);
        return sent == null ? "" : sent;
    }
}
