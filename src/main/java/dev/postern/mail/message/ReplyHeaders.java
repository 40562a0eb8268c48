package dev.postern.mail.message;

import dev.postern.model.DeliveryMark;
import dev.postern.model.MailAddress;
import jakarta.mail.MessagingException;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.Locale;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/**
 * The headers of a mail that an answer needs, and those that forbid one (RFC 3834, section 2).
 *
 * @param author the address of the sender; empty unless there is exactly one that can be written without quotes
 * @param address the address that an answer goes to; empty unless there is exactly one
 * @param references the ids of the thread's mails in angle brackets, that of this mail last; not all of a long thread
 * @param answerable whether a program may answer: a person has written the mail to this account alone, not to a list
 * @param mark the mark of the Postern that has sent the mail; empty if none has
 */
record ReplyHeaders(String author, String address, List<String> references, boolean answerable, String mark) {

    static final List<String> NAMES = List.of(
            "Reply-To",
            "Return-Path",
            "Auto-Submitted",
            "Precedence",
            "X-Auto-Response-Suppress",
            "X-Autoreply",
            "X-Autorespond",
            "List-Id",
            "List-Post",
            "List-Help",
            "List-Owner",
            "List-Archive",
            "List-Subscribe",
            "List-Unsubscribe",
            "Mailing-List",
            "Content-Type",
            "X-Postern-Delivery");

    /** Headers whose mere presence says that a list or a program has sent the mail. */
    private static final List<String> FORBIDDING =
            NAMES.subList(NAMES.indexOf("X-Autoreply"), NAMES.indexOf("Content-Type"));

    private static final Pattern ID = Pattern.compile("<[!-;=?-~]{1,250}>");
    private static final int MOST_REFERENCES = 10;

    /** Leaves room in {@link dev.postern.model.Recipient#MAX_TO_BYTES} for the longest address and subject. */
    private static final int MAX_REFERENCE_CHARS = 900;

    private static final int MAX_READ_CHARS = 20_000;

    private static final Pattern DELIVERY = Pattern.compile("dlv_[0-9a-z]{1,26}\\.[0-9]{1,6}");

    private static final Pattern OF_A_PROGRAM = Pattern.compile(
            "(mailer-daemon|postmaster|nobody|no-?reply|do-?not-?reply|owner-.*|.*-(owner|request|bounces?))@.*");

    /** A reader of the headers of one name, in the mail's order. */
    interface HeaderSource {
        List<String> all(String name) throws MessagingException;

        /** The headers of one name, joined by commas; an empty text if there are none. */
        default String read(String name) throws MessagingException {
            return String.join(", ", all(name));
        }
    }

    /**
     * Reads the headers of one mail.
     *
     * @param account the mailbox's address
     */
    static ReplyHeaders of(HeaderSource headers, String account) throws MessagingException {
        String author = AddressParser.only(headers.read("From"))
                .filter(MailAddress::matches)
                .orElse("");
        String replyTo = headers.read("Reply-To");
        String address = replyTo.isBlank()
                ? author
                : AddressParser.only(replyTo).filter(MailAddress::matches).orElse("");
        String delivery = headers.read("X-Postern-Delivery").strip();
        boolean answerable = !author.isEmpty()
                && !address.isEmpty()
                && !author.equalsIgnoreCase(account)
                && !address.equalsIgnoreCase(account)
                && !isOfProgram(author)
                && !isOfProgram(address)
                && delivery.isEmpty()
                && !isAutomatic(headers);
        return new ReplyHeaders(
                author,
                address,
                references(headers),
                answerable,
                DELIVERY.matcher(delivery).matches() ? DeliveryMark.text(delivery) : "");
    }

    private static boolean isAutomatic(HeaderSource headers) throws MessagingException {
        for (String name : FORBIDDING) {
            if (!headers.read(name).isBlank()) {
                return true;
            }
        }
        return words(headers, "Auto-Submitted").anyMatch(word -> !(word.isEmpty() || word.equals("no")))
                || words(headers, "X-Auto-Response-Suppress").anyMatch(word -> !(word.isEmpty() || word.equals("none")))
                || words(headers, "Precedence").anyMatch(List.of("bulk", "list", "junk")::contains)
                || words(headers, "Content-Type").anyMatch("multipart/report"::equals)
                || values(headers, "Return-Path").anyMatch(ReplyHeaders::isPathOfProgram);
    }

    private static boolean isPathOfProgram(String path) {
        return path.replaceAll("\\s", "").equals("<>") || isOfProgram(path.replaceAll("[<>\\s]", ""));
    }

    /** The values of all headers of {@code name} without parameters and comments, in lower case. */
    private static Stream<String> words(HeaderSource headers, String name) throws MessagingException {
        return values(headers, name)
                .map(value -> value.split("[;(]", 2)[0].strip().toLowerCase(Locale.ROOT));
    }

    /** The values of all headers of {@code name}. One header may have several, with commas between them. */
    private static Stream<String> values(HeaderSource headers, String name) throws MessagingException {
        return headers.all(name).stream()
                .flatMap(header -> AddressParser.split(SingleLineText.cut(header, MAX_READ_CHARS)).stream());
    }

    private static boolean isOfProgram(String address) {
        return OF_A_PROGRAM
                .matcher(SingleLineText.cut(address, MAX_READ_CHARS).toLowerCase(Locale.ROOT))
                .matches();
    }

    /** The ids of References, else of In-Reply-To, and then the mail's own; the first and the last ones of many. */
    private static List<String> references(HeaderSource headers) throws MessagingException {
        List<String> before = ids(headers.read("References"));
        if (before.isEmpty()) {
            before = ids(headers.read("In-Reply-To"));
        }
        List<String> own = ids(headers.read("Message-ID"));
        List<String> all = new ArrayList<>(before);
        own.stream().findFirst().ifPresent(id -> {
            all.remove(id);
            all.add(id);
        });
        return own.isEmpty() ? List.of() : some(all);
    }

    /** The first of {@code ids}, and as many of the last ones as a recipient has room for. */
    private static List<String> some(List<String> ids) {
        Deque<String> some = new ArrayDeque<>();
        int chars = ids.get(0).length();
        for (int i = ids.size() - 1; i > 0 && some.size() < MOST_REFERENCES - 1; i--) {
            chars += ids.get(i).length();
            if (chars > MAX_REFERENCE_CHARS) {
                break;
            }
            some.addFirst(ids.get(i));
        }
        some.addFirst(ids.get(0));
        return List.copyOf(some);
    }

    private static List<String> ids(String header) {
        return ID.matcher(SingleLineText.cut(header, MAX_READ_CHARS))
                .results()
                .map(MatchResult::group)
                .distinct()
                .toList();
    }

    /** The recipient of an answer on a channel of kind mail: {@code address/ids/subject}. */
    String recipient(String subject) {
        return address + "/" + String.join("", references) + "/" + subject;
    }
}
