package dev.postern.mail.message;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.regex.Pattern;

/**
 * A parser of the addresses in From, To or Cc (RFC 5322, section 3.4) that formats them for a reader:
 * {@code Name <address>}, names decoded. A name that holds more than words is quoted, so that it can't pass for an address.
 */
final class AddressParser {

    private static final int MAX_CHARS = 2_000;
    private static final int ROOM_FOR_COUNT = 30;
    private static final int MAX_READ_CHARS = 200_000;

    /** A sign with which a comment might pass for an address. */
    private static final Pattern SIGNS = Pattern.compile("[<>@\"\\\\\\[\\]]");

    private AddressParser() {}

    /**
     * The addresses of {@code header}, separated by commas; empty if there are none. A long list is cut between two
     * addresses and ends with the number of the others.
     */
    static String shown(String header) {
        StringBuilder shown = new StringBuilder();
        int others = 0;
        for (String one : split(SingleLineText.cut(header, MAX_READ_CHARS))) {
            String address = one(one);
            if (address.isEmpty()) {
                continue;
            }
            if (others > 0 || shown.length() + address.length() > MAX_CHARS - ROOM_FOR_COUNT) {
                others++;
            } else {
                shown.append(shown.isEmpty() ? "" : ", ").append(address);
            }
        }
        if (others > 0) {
            shown.append(shown.isEmpty() ? "" : " ")
                    .append("and ")
                    .append(others)
                    .append(" more");
        }
        return shown.toString();
    }

    /** The one address of {@code header} without a name; empty if there are several, or a group. */
    static Optional<String> only(String header) {
        List<String> all = split(SingleLineText.cut(header, MAX_READ_CHARS)).stream()
                .filter(one -> !one.isBlank())
                .toList();
        if (all.size() != 1) {
            return Optional.empty();
        }
        return Optional.of(MailboxText.of(all.get(0)).address());
    }

    /** Splits {@code header} at commas outside of quotes, comments and angle brackets. */
    static List<String> split(String header) {
        List<String> parts = new ArrayList<>();
        int start = 0;
        boolean quoted = false;
        boolean angled = false;
        int comments = 0;
        for (int i = 0; i < header.length(); i++) {
            char c = header.charAt(i);
            if (c == '\\' && (quoted || comments > 0)) {
                i++;
            } else if (c == '"' && comments == 0) {
                quoted = !quoted;
            } else if (!quoted && c == '(') {
                comments++;
            } else if (!quoted && c == ')' && comments > 0) {
                comments--;
            } else if (!quoted && comments == 0) {
                angled = c == '<' || (angled && c != '>');
                if (c == ',' && !angled) {
                    parts.add(header.substring(start, i));
                    start = i + 1;
                }
            }
        }
        parts.add(header.substring(start));
        return parts;
    }

    private static String one(String raw) {
        MailboxText mailbox = MailboxText.of(raw);
        String name = name(mailbox.name());
        String address = SingleLineText.line(EncodedWordDecoder.decode(mailbox.address()), MAX_CHARS / 4);
        if (!name.isEmpty()) {
            return name + " <" + address + ">";
        }
        String comment = SingleLineText.line(EncodedWordDecoder.decode(mailbox.comment()), MAX_CHARS / 4);
        return comment.isEmpty() || SIGNS.matcher(comment).find() ? address : address + " (" + comment + ")";
    }

    private static String name(String raw) {
        String unquoted = raw.strip();
        if (unquoted.length() > 1 && unquoted.startsWith("\"") && unquoted.endsWith("\"")) {
            unquoted = unquoted.substring(1, unquoted.length() - 1).replaceAll("\\\\(.)", "$1");
        }
        String name = SingleLineText.line(EncodedWordDecoder.decode(unquoted), MAX_CHARS / 4);
        boolean words = name.chars().noneMatch(c -> "<>,@;:\"\\[]".indexOf(c) >= 0);
        return words ? name : '"' + name.replaceAll("([\"\\\\])", "\\\\$1") + '"';
    }
}
