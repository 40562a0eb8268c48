package dev.postern.mail.message;

import jakarta.mail.MessagingException;
import jakarta.mail.internet.MimePart;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** The structure of a mail: the parts that are its text, and the parts that are attachments. It reads no content. */
final class MessageStructure {

    /** Limit of parts that are visited. */
    static final int MAX_PARTS = 1_000;

    private static final int MAX_DEPTH = 30;
    private static final int MAX_ATTACHMENTS = 100;

    private static final Set<String> HTML =
            Set.of("text/html", "application/xhtml+xml", "text/x-amp-html", "text/watch-html");
    private static final Set<String> PLAIN = Set.of("text/plain", "text/markdown");
    private static final Set<String> FILES = Set.of("text/rfc822-headers", "text/rtf", "text/vcard", "text/x-vcard");
    private static final Set<String> SPARE =
            Set.of("text/calendar", "message/delivery-status", "message/disposition-notification");

    private final List<Attachment> attachments = new ArrayList<>();
    private TextParts spare = TextParts.NONE;
    private boolean anyText;
    private int parts;

    private MessageStructure() {}

    /**
     * The parts of a mail by their use.
     *
     * @param text the parts to read as text; {@link TextParts#NONE} if there are none
     * @param attachments all other parts, in their order
     */
    record Found(TextParts text, List<Attachment> attachments) {}

    /** @throws MessagingException if the structure can't be fetched or makes no sense */
    static Found of(MimePart mail) throws MessagingException {
        MessageStructure messageStructure = new MessageStructure();
        TextParts text = messageStructure.visit(mail, MediaType.of(mail.getContentType()), 0, true);
        TextParts some = text == TextParts.NONE || messageStructure.spare == TextParts.NONE
                ? TextParts.joined(List.of(text, messageStructure.spare))
                : new TextParts.FirstOf(List.of(text, messageStructure.spare));
        return new Found(some, List.copyOf(messageStructure.attachments));
    }

    /** @param shown whether text of this part is text of the mail; it is an attachment otherwise */
    private TextParts visit(MimePart part, MediaType type, int depth, boolean shown) throws MessagingException {
        parts++;
        if (type.isMultipart() && depth < MAX_DEPTH) {
            return inside(part, type, depth + 1, shown);
        }
        TextParts.Kind kind = kindOf(type.value());
        if (shown && kind != null && kind != TextParts.Kind.SPARE && isBody(part)) {
            anyText = true;
            return new TextParts.Leaf(part, type, kind);
        }
        if (attachments.size() < MAX_ATTACHMENTS) {
            attachments.add(
                    new Attachment(PartMetadata.shown(part, type.value()), type.value(), PartMetadata.size(part)));
        }
        if (kind == TextParts.Kind.SPARE && spare == TextParts.NONE) {
            spare = new TextParts.Leaf(part, type, kind);
        }
        return TextParts.NONE;
    }

    /** Whether a text belongs to the body. A named one is an attachment, except the first: some mails name their text. */
    private boolean isBody(MimePart part) throws MessagingException {
        return !PartMetadata.isAttached(part)
                && (!anyText || PartMetadata.of(part).isEmpty());
    }

    /** The text of a multipart's parts; a multipart without parts is text with a wrong header. */
    private TextParts inside(MimePart multipart, MediaType type, int depth, boolean shown) throws MessagingException {
        List<MimePart> children = MultipartParts.of(multipart);
        if (children.isEmpty() && shown) {
            return new TextParts.Leaf(multipart, type, TextParts.Kind.PLAIN);
        }
        List<TextParts> texts = new ArrayList<>();
        for (MimePart child : children) {
            if (parts == MAX_PARTS) {
                break;
            }
            MediaType childType = MediaType.of(child.getContentType());
            switch (type.value()) {
                case "multipart/related" ->
                    texts.add(visit(child, childType, depth, shown && TextParts.joined(texts) == TextParts.NONE));
                case "multipart/report" -> texts.add(visit(child, childType, depth, shown && texts.isEmpty()));
                case "multipart/encrypted" -> visit(child, childType, depth, false);
                case "multipart/digest" -> visit(child, mailOr(childType), depth, false);
                default -> texts.add(visit(child, childType, depth, shown));
            }
        }
        return "multipart/alternative".equals(type.value()) ? TextParts.plainest(texts) : TextParts.joined(texts);
    }

    /** The type of a digest's part, which is a mail if it has no type of its own (RFC 2046, section 5.1.5). */
    private static MediaType mailOr(MediaType type) {
        return "text/plain".equals(type.value()) ? new MediaType("message/rfc822", Map.of()) : type;
    }

    private static TextParts.@Nullable Kind kindOf(String type) {
        if (PLAIN.contains(type)) {
            return TextParts.Kind.PLAIN;
        }
        if (HTML.contains(type)) {
            return TextParts.Kind.HTML;
        }
        if (SPARE.contains(type)) {
            return TextParts.Kind.SPARE;
        }
        return type.startsWith("text/") && !FILES.contains(type) ? TextParts.Kind.OTHER : null;
    }
}
