package dev.postern.channel.text;

import java.util.Locale;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * The address of a link, in a form that is safe in any channel's markup.
 *
 * @param url the target, with the scheme http, https, mailto or tel; characters that are not allowed in an address
 *     (RFC 3986), or that would end one in some markup, are percent-encoded
 * @param shown the visible form, without mailto: and tel:
 */
record LinkAddress(String url, String shown) {

    private static final String ENCODED = " \"<>[\\]^`{|}";

    /** The beginning of a web address whose host is an IPv6 address, where alone brackets may stand (RFC 3986, 3.2.2). */
    private static final Pattern IPV6 = Pattern.compile("(?i)https?://\\[[0-9a-f:.]+]");

    /** The address of a destination; null if it has another scheme or none. */
    static @Nullable LinkAddress of(String destination) {
        String lower =
                destination.substring(0, Math.min(8, destination.length())).toLowerCase(Locale.ROOT);
        if (lower.startsWith("http://") || lower.startsWith("https://")) {
            String url = encoded(destination);
            return new LinkAddress(url, url);
        }
        for (String scheme : new String[] {"mailto:", "tel:"}) {
            if (lower.startsWith(scheme) && destination.length() > scheme.length()) {
                String url = encoded(destination);
                return new LinkAddress(url, url.substring(scheme.length()));
            }
        }
        return null;
    }

    boolean isWeb() {
        return shown.length() == url.length();
    }

    private static String encoded(String destination) {
        StringBuilder url = new StringBuilder(destination.length());
        Matcher host = IPV6.matcher(destination);
        int begin = host.lookingAt() ? host.end() : 0;
        url.append(destination, 0, begin);
        for (int i = begin; i < destination.length(); i++) {
            char before = i == 0 ? 0 : destination.charAt(i - 1);
            char after = i + 1 == destination.length() ? 0 : destination.charAt(i + 1);
            char c = CharacterClasses.validOrReplacement(before, destination.charAt(i), after);
            if (c <= ' ' || c == 0x7F || ENCODED.indexOf(c) >= 0) {
                url.append('%').append(Character.forDigit(c >> 4, 16)).append(Character.forDigit(c & 15, 16));
            } else if (Character.isWhitespace(c) || Character.isSpaceChar(c)) {
                url.append("%20");
            } else {
                url.append(c);
            }
        }
        return url.toString();
    }
}
