package dev.postern.mail.message;

import jakarta.mail.MessagingException;
import java.io.IOException;

/** A reader of the parts that are a mail's text, until the text is full. */
final class TextPartReader {

    /** Limit of parts to read, because each costs a command to the server. */
    private static final int MAX_TEXTS = 20;

    private final BodyText text;
    private final int maxBytes;
    private int texts;

    private TextPartReader(int maxBytes) {
        this.maxBytes = maxBytes;
        text = new BodyText(maxBytes);
    }

    /**
     * @throws MessagingException if the server can't be asked
     * @throws IOException if the server doesn't answer
     */
    static BodyText read(TextParts parts, int maxBytes) throws MessagingException, IOException {
        TextPartReader reader = new TextPartReader(maxBytes);
        reader.add(parts);
        return reader.text;
    }

    private void add(TextParts parts) throws MessagingException, IOException {
        if (text.isCut()) {
            return;
        }
        if (parts instanceof TextParts.Leaf leaf) {
            texts++;
            if (texts > MAX_TEXTS) {
                text.cut();
            } else {
                PartContentReader.read(leaf, maxBytes, text);
            }
        } else if (parts instanceof TextParts.Joined all) {
            for (TextParts part : all.parts()) {
                add(part);
            }
        } else if (parts instanceof TextParts.FirstOf one) {
            BodyText.Checkpoint before = text.checkpoint();
            for (TextParts option : one.options()) {
                add(option);
                if (!text.resetIfBlank(before)) {
                    return;
                }
            }
        }
    }
}
