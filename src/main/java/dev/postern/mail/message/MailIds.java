package dev.postern.mail.message;

import dev.postern.model.Sha256;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.util.HexFormat;
import java.util.List;

/** The ids and idempotency keys of mails, none of them longer than the database columns allow. */
final class MailIds {

    private static final int MAX_CHARS = 160;
    private static final int ACCOUNT_CHARS = 60;
    private static final int FINGERPRINT_BYTES = 16;

    private MailIds() {}

    /** The first message id in a header (RFC 5322, section 3.6.4) without its angle brackets; empty if there is none. */
    static String first(String header) {
        int open = header.indexOf('<');
        int close = header.indexOf('>', open + 1);
        String id = open >= 0 && close > open ? header.substring(open + 1, close) : header.strip();
        int end = 0;
        while (end < id.length() && (open >= 0 || !SingleLineText.isSpace(id.charAt(end)))) {
            end++;
        }
        return bounded(id.substring(0, end));
    }

    /** {@code id} without white space and control characters; if it is too long, a hash of it replaces its end. */
    static String bounded(String id) {
        String line = SingleLineText.line(id, id.length()).replace(" ", "");
        return line.length() <= MAX_CHARS
                ? line
                : SingleLineText.cut(line, MAX_CHARS - 2 * FINGERPRINT_BYTES - 1) + "-" + fingerprint(List.of(line));
    }

    /** The key that the preset gmail computes for one mail, so that a watcher that pushes mails and this one agree. */
    static String gmailKey(String account, String id) {
        return SingleLineText.cut(account, ACCOUNT_CHARS) + ":" + id;
    }

    /** The key of a mail elsewhere. Another sender could guess a message id and use it first, so the contents count too. */
    static String key(String account, String id, List<String> contents) {
        return gmailKey(account, id) + ":" + fingerprint(contents);
    }

    private static String fingerprint(List<String> contents) {
        MessageDigest digest = Sha256.digest();
        for (String content : contents) {
            byte[] bytes = content.getBytes(StandardCharsets.UTF_8);
            digest.update((bytes.length + ":").getBytes(StandardCharsets.US_ASCII));
            digest.update(bytes);
        }
        return HexFormat.of().formatHex(digest.digest(), 0, FINGERPRINT_BYTES);
    }
}
