package dev.postern.mail.message;

import jakarta.mail.FetchProfile;
import jakarta.mail.Folder;
import jakarta.mail.Message;
import jakarta.mail.MessagingException;
import jakarta.mail.internet.MimePart;
import java.util.Date;
import java.util.List;
import org.eclipse.angus.mail.imap.IMAPFolder;

/**
 * The headers of a mail, decoded, on one line each and limited in length; empty if the mail does not have them.
 *
 * @param sent the header Date as it was written
 * @param date the date of the mail in ISO 8601
 * @param reply what an answer to the mail needs
 */
record MailHeaders(
        String from,
        String to,
        String cc,
        String subject,
        String sent,
        String date,
        String messageId,
        String references,
        String inReplyTo,
        ReplyHeaders reply) {

    private static final int MAX_SUBJECT = 1_000;
    private static final int MAX_READ_CHARS = 20_000;

    private static final List<String> NAMES =
            List.of("From", "To", "Cc", "Subject", "Date", "Message-ID", "References", "In-Reply-To");

    /** Fetches all headers and the structure of the mail with one command. */
    static void fetch(Message mail) throws MessagingException {
        Folder folder = mail.getFolder();
        if (folder != null) {
            FetchProfile profile = new FetchProfile();
            ask(profile);
            folder.fetch(new Message[] {mail}, profile);
        }
    }

    static void ask(FetchProfile profile) {
        profile.add(FetchProfile.Item.CONTENT_INFO);
        profile.add(IMAPFolder.FetchProfileItem.INTERNALDATE);
        NAMES.forEach(profile::add);
        ReplyHeaders.NAMES.forEach(profile::add);
    }

    /**
     * Reads the headers.
     *
     * @param account the mailbox's address
     * @throws MessagingException if the connection to the server failed
     */
    static MailHeaders of(MimePart headers, Message mail, String account) throws MessagingException {
        String sent = SingleLineText.line(all(headers, mail, "Date"), 100);
        String date = MailDateParser.sent(sent);
        return new MailHeaders(
                /* from= */ AddressParser.shown(all(headers, mail, "From")),
                /* to= */ AddressParser.shown(all(headers, mail, "To")),
                /* cc= */ AddressParser.shown(all(headers, mail, "Cc")),
                /* subject= */ SingleLineText.line(
                        EncodedWordDecoder.decode(SingleLineText.cut(all(headers, mail, "Subject"), MAX_READ_CHARS)),
                        MAX_SUBJECT),
                sent,
                /* date= */ date.isEmpty() ? received(mail) : date,
                /* messageId= */ MailIds.first(all(headers, mail, "Message-ID")),
                /* references= */ MailIds.first(all(headers, mail, "References")),
                /* inReplyTo= */ MailIds.first(all(headers, mail, "In-Reply-To")),
                /* reply= */ ReplyHeaders.of(name -> each(headers, mail, name), account));
    }

    /** Whether sender, subject, date and message id are all missing. */
    boolean isNothing() {
        return from.isEmpty() && subject.isEmpty() && sent.isEmpty() && messageId.isEmpty();
    }

    /** The headers of one name, joined by commas; an empty text if there are none. */
    private static String all(MimePart headers, Message mail, String name) throws MessagingException {
        return String.join(", ", each(headers, mail, name));
    }

    private static List<String> each(MimePart headers, Message mail, String name) throws MessagingException {
        try {
            String[] values = headers.getHeader(name);
            return values == null ? List.of() : List.of(values);
        } catch (MessagingException | RuntimeException e) {
            ServerFaultFilter.rethrow(mail, e);
            return List.of();
        }
    }

    private static String received(Message mail) throws MessagingException {
        try {
            Date date = mail.getReceivedDate();
            return date == null ? "" : MailDateParser.received(date);
        } catch (MessagingException | RuntimeException e) {
            ServerFaultFilter.rethrow(mail, e);
            return "";
        }
    }
}
