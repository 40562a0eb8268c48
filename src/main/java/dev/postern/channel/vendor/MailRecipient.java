package dev.postern.channel.vendor;

import dev.postern.model.MailAddress;
import java.util.List;
import java.util.Locale;
import java.util.regex.MatchResult;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * A recipient of mails: one address, and perhaps the mail that is answered.
 *
 * @param references ids of the thread's mails in angle brackets, in order; the last one is that of the mail that is
 *     answered; empty if none is
 * @param subject the subject; empty for none
 */
record MailRecipient(String address, List<String> references, String subject) {

    private static final int MOST_REFERENCES = 50;
    private static final int MOST_SUBJECT_CHARS = 400;

    private static final Pattern ID = Pattern.compile("<[!-;=?-~]{1,250}>");
    private static final Pattern FORM = Pattern.compile("(?<address>[^/]++)(?:/(?<ids>(?:" + ID.pattern()
            + ")*+)(?:/(?<subject>[^\\p{Cntrl}\\p{Cs}\\u2028\\u2029]*+))?)?");

    /** The signs of a route in a local part, as Postfix's allow_percent_hack and swap_bangpath know them. */
    private static final Pattern ROUTE = Pattern.compile("[%!]");

    private static final Pattern REPLY = Pattern.compile("(?i)re\\s?:.*");

    /** The recipient that {@code to} describes: {@code address}, or {@code address/ids/subject}; null in another form. */
    static @Nullable MailRecipient of(@Nullable String to) {
        Matcher form = FORM.matcher(to == null ? "" : to);
        if (!form.matches() || !MailAddress.matches(form.group("address"))) {
            return null;
        }
        @Nullable String ids = form.group("ids");
        @Nullable String subject = form.group("subject");
        List<String> references = ids == null
                ? List.of()
                : ID.matcher(ids).results().map(MatchResult::group).toList();
        boolean fits =
                references.size() <= MOST_REFERENCES && (subject == null || subject.length() <= MOST_SUBJECT_CHARS);
        return fits
                ? new MailRecipient(form.group("address"), references, subject == null ? "" : subject.strip())
                : null;
    }

    /**
     * Whether {@code allow}, addresses and domains behind an at sign, includes the address. A domain includes no address with
     * a percent or an exclamation mark: many mail servers pass its mails on to a domain that stands before the at sign.
     */
    boolean isAmong(List<String> allow) {
        String own = address.toLowerCase(Locale.ROOT);
        int at = own.indexOf('@');
        boolean routed = ROUTE.matcher(own.substring(0, at)).find();
        return allow.stream()
                .map(each -> each.toLowerCase(Locale.ROOT))
                .anyMatch(each -> each.equals(own) || (!routed && each.equals(own.substring(at))));
    }

    /** The subject of a mail to this recipient: {@code otherwise} without a subject, {@code Re:} before that of a thread. */
    String subject(String otherwise) {
        if (subject.isEmpty()) {
            return references.isEmpty() ? otherwise : "Re:";
        }
        return references.isEmpty() || REPLY.matcher(subject).matches() ? subject : "Re: " + subject;
    }
}
