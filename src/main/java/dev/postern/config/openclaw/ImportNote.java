package dev.postern.config.openclaw;

import dev.postern.config.ValueOrigin;

/**
 * A note on a setting that differs from OpenClaw's or is not taken. It holds no secret.
 *
 * @param origin the setting's place in the file that is imported
 * @param setting the setting's full name, such as {@code channels.whatsapp}
 * @param sentence what differs, or why it is not taken, and what to write instead
 */
public record ImportNote(ValueOrigin origin, String setting, String sentence) {

    /** Formats the note in one line for the operator. */
    @Override
    public String toString() {
        return origin.withoutColumn() + ": " + setting + ": " + sentence;
    }
}
