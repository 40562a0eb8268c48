package dev.postern.channel.text;

import java.nio.charset.StandardCharsets;

/**
 * A file with the code of one block of a reply.
 *
 * @param name its name: letters, digits, a hyphen and a dot
 * @param code the code, with a line end behind its last line
 */
public record CodeFile(String name, String code) {

    /** The file's content, in UTF-8. */
    public byte[] bytes() {
        return code.getBytes(StandardCharsets.UTF_8);
    }

    /** The name alone, because the code may be private. */
    @Override
    public String toString() {
        return "CodeFile[" + name + "]";
    }
}
