package dev.postern.channel.text;

import java.util.Set;

/** The dialect of Slack's mrkdwn. Exactly three characters are escaped as entities; this also turns mentions into text. */
final class SlackDialect extends StyleMarkDialect {

    /** Schemes that the visible form of an address may leave out. */
    private static final Set<String> SCHEMES = Set.of("", "mailto:", "tel:");

    @Override
    boolean links(LinkAddress address, String label) {
        return true;
    }

    @Override
    Delimiters link(String url) {
        return new Delimiters("<" + escaped(url) + "|", ">");
    }

    /** The delimiters around an address; none around a piece of one, which would be a link to another address. */
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
