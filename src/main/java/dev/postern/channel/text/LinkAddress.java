package dev.postern.channel.text;

import java.text.Normalizer;
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

    /** The host of an address, without a leading {@code www.}, which people leave out. */
    private static final Pattern HOST =
            Pattern.compile("(?i)(?:https?://(?:[^/?#]*@)?|mailto:(?:[^@?]*@)?)(?:www\\.)?(?<host>[^/?#:]*)");

    private static final Pattern NAMED_HOST =
            Pattern.compile("(?i)(?:[a-z][a-z0-9+.-]{0,20}:/+(?:www\\.)?|\\bwww\\.)(?<host>[^\\s/?#:]+)");

    private static final Pattern BARE_HOST = Pattern.compile(
            "(?:[^\\s/@]+@)?(?<host>[\\p{L}\\p{N}-]+(?:\\.[\\p{L}\\p{N}-]+)*\\.\\p{L}{2,})(?:[:/?#]\\S*)?");

    /** The length of the longest label that is looked at as a bare host, which has 253 characters (RFC 1035, 2.3.4). */
    private static final int LONGEST_BARE = 500;

    /** The end of a name that readers take for a host rather than a file. */
    private static final Pattern COMMON_DOMAIN = Pattern.compile("(?i)\\.(com|org|net|edu|gov|info|biz|co|io)$");

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

    /**
     * Whether {@code label} names another host than this address leads to. The name of a file at this address is none.
     */
    boolean isDisguisedBy(String label) {
        return isOtherHost(seen(label));
    }

    /** {@code label} as readers see it: without invisible characters, with the usual form of each letter and sign. */
    private static String seen(String label) {
        StringBuilder seen = new StringBuilder(label.length());
        Normalizer.normalize(label, Normalizer.Form.NFKC)
                .codePoints()
                .filter(each -> Character.getType(each) != Character.FORMAT)
                .forEach(seen::appendCodePoint);
        return seen.toString();
    }

    private boolean isOtherHost(String label) {
        Matcher named = NAMED_HOST.matcher(label);
        if (named.find()) {
            return !leadsTo(named.group("host"));
        }
        if (label.length() > LONGEST_BARE) {
            return false;
        }
        Matcher bare = BARE_HOST.matcher(label.strip());
        return bare.matches() && !leadsTo(bare.group("host")) && !isFile(label.strip());
    }

    private boolean leadsTo(String host) {
        Matcher own = HOST.matcher(url);
        return own.lookingAt() && own.group("host").equalsIgnoreCase(host);
    }

    private boolean isFile(String name) {
        return url.contains("/" + name) && !COMMON_DOMAIN.matcher(name).find();
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
