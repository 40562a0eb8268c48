package dev.postern.model;

import java.nio.charset.StandardCharsets;
import java.util.Arrays;

/** A secret value that {@code toString} does not reveal. */
public final class Secret {

    private final String value;

    public Secret(String value) {
        this.value = value;
    }

    /** The value in the clear, for the one place that needs it. */
    public String reveal() {
        return value;
    }

    /** The value's UTF-8 bytes. */
    public byte[] bytes() {
        return value.getBytes(StandardCharsets.UTF_8);
    }

    @Override
    public boolean equals(Object other) {
        return other instanceof Secret that && java.security.MessageDigest.isEqual(bytes(), that.bytes());
    }

    @Override
    public int hashCode() {
        return Arrays.hashCode(bytes());
    }

    @Override
    public String toString() {
        return "[secret]";
    }
}
