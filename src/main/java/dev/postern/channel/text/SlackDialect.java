package dev.postern.channel.text;

import java.util.Set;

/** Slack's mrkdwn: exactly the three entities are escaped, which also makes text of a mention. */
final class SlackDialect extends StyleMarkDialect {

    /** What an address may be shown without. */
    private static final Set<String> SCHEMES = Set.of("", "mailto:", "tel:");

    @Override
    boolean links(LinkAddress address, String label) {
        return true;
    }

    @Override
    Delimiters link(String url) {
        return new Delimiters("<" + escaped(url) + "|", ">");
    }

    /** Nothing around a piece of an address, which would lead elsewhere. */
    @Override
    Delimiters shown(String url, String text) {
        String scheme = url.endsWith(text) ? url.substring(0, url.length() - text.length()) : url;
        return SCHEMES.contains(scheme) ? new Delimiters("<" + scheme, ">") : Delimiters.NONE;
    }

    @Override
    void character(StringBuilder out, char c) {
        switch (c) {
            case '&' -> out.append("&amp;");
            case '<' -> out.append("&lt;");
            case '>' -> out.append("&gt;");
            default -> out.append(c);
        }
    }

    private String escaped(String url) {
        StringBuilder escaped = new StringBuilder(url.length());
        for (int i = 0; i < url.length(); i++) {
            character(escaped, url.charAt(i));
        }
        return escaped.toString();
    }
}
