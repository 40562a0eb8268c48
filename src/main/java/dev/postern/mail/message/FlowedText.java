package dev.postern.mail.message;

/** A joiner of the lines of a plain text with {@code format=flowed} (RFC 3676, section 4), whose paragraphs are broken anywhere. */
final class FlowedText {

    private static final String SIGNATURE = "-- ";
    private static final String LINE_END = "\r\n|\r|\n";

    private FlowedText() {}

    /**
     * Joins the lines of each paragraph. A quoted one keeps its marks at its beginning.
     *
     * @param deletesSpace whether the space before a line's end is not part of the text ({@code delsp=yes}), so that addresses
     *     and scripts without spaces stay whole
     */
    static String joined(String text, boolean deletesSpace) {
        StringBuilder joined = new StringBuilder(text.length());
        int continued = -1;
        for (String line : text.split(LINE_END, -1)) {
            int depth = depth(line);
            String content = line.substring(line.startsWith(" ", depth) ? depth + 1 : depth);
            boolean flows = content.endsWith(" ") && !content.equals(SIGNATURE);
            if (continued != depth || content.equals(SIGNATURE)) {
                joined.append(joined.isEmpty() ? "" : "\n")
                        .append(">".repeat(depth))
                        .append(depth > 0 ? " " : "");
            }
            joined.append(content, 0, content.length() - (flows && deletesSpace ? 1 : 0));
            continued = flows ? depth : -1;
        }
        return joined.toString();
    }

    private static int depth(String line) {
        int depth = 0;
        while (line.startsWith(">", depth)) {
            depth++;
        }
        return depth;
    }
}
