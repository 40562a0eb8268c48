package dev.postern.access;

import java.nio.charset.StandardCharsets;
import java.util.Base64;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * The user name and password that a program sends (Basic, RFC 7617, in UTF-8).
 *
 * @param name the user's name
 * @param password must never be shown or logged
 */
public record BasicCredentials(String name, String password) {

    private static final String SCHEME = "Basic ";
    private static final int LONGEST = 8192;

    /**
     * The credentials in the {@code Authorization} header {@code value}. Empty if it has another scheme, is malformed
     * or is longer than 8,192 characters.
     */
    public static Optional<BasicCredentials> of(@Nullable String value) {
        if (value == null || value.length() > LONGEST || !value.regionMatches(true, 0, SCHEME, 0, SCHEME.length())) {
            return Optional.empty();
        }
        String pair;
        try {
            byte[] bytes =
                    Base64.getDecoder().decode(value.substring(SCHEME.length()).strip());
            pair = new String(bytes, StandardCharsets.UTF_8);
        } catch (IllegalArgumentException malformed) {
            return Optional.empty();
        }
        int colon = pair.indexOf(':');
        return colon < 0
                ? Optional.empty()
                : Optional.of(new BasicCredentials(pair.substring(0, colon), pair.substring(colon + 1)));
    }

    @Override
    public String toString() {
        return "BasicCredentials[" + name + "]";
    }
}
