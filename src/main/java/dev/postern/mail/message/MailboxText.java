package dev.postern.mail.message;

/**
 * The text of one mailbox in an address header (RFC 5322, section 3.4). Angle brackets in quotes and in
 * comments are a part of those, so that they can't pass for the address, which mail servers have authenticated.
 *
 * @param name the display name, perhaps in quotes; empty if there is none
 * @param address the address; the whole text, which is no address, where the brackets, quotes or comments don't match
 * @param comment the text of its comments, without the outer brackets; empty if there are none
 */
record MailboxText(String name, String address, String comment) {

    /** The mailbox that {@code raw}, a header's part between two commas, stands for. */
    static MailboxText of(String raw) {
        StringBuilder text = new StringBuilder(raw.length());
        StringBuilder comment = new StringBuilder();
        int open = -1;
        int close = -1;
        int comments = 0;
        boolean quoted = false;
        for (int i = 0; i < raw.length(); i++) {
            char c = raw.charAt(i);
            if (c == '\\' && (quoted || comments > 0) && i + 1 < raw.length()) {
                i++;
                (quoted ? text : comment).append(raw, i - 1, i + 1);
            } else if (!quoted && c == '(') {
                comments++;
            } else if (!quoted && c == ')' && comments > 0) {
                comments--;
                text.append(' ');
            } else if (comments > 0) {
                comment.append(c);
            } else {
                if (c == '"') {
                    quoted = !quoted;
                } else if (!quoted && c == '<') {
                    open = open < 0 ? text.length() : raw.length();
                } else if (!quoted && c == '>') {
                    close = close < 0 ? text.length() : raw.length();
                }
                text.append(c);
            }
        }
        boolean bare = open < 0 && close < 0;
        boolean ends = close == text.toString().stripTrailing().length() - 1;
        if (quoted || comments > 0 || !(bare || (open >= 0 && open < close && ends))) {
            return new MailboxText("", raw.strip(), "");
        }
        String name = bare ? "" : text.substring(0, open);
        String address = bare ? text.toString() : text.substring(open + 1, close);
        return new MailboxText(name.strip(), address.strip(), comment.toString().strip());
    }
}
