package dev.postern.mail.message;

import jakarta.mail.FetchProfile;
import jakarta.mail.Message;
import jakarta.mail.MessagingException;
import jakarta.mail.internet.MimePart;
import java.io.IOException;
import java.util.List;
import java.util.function.Predicate;
import org.eclipse.angus.mail.imap.IMAPMessage;

/**
 * A reader that turns mails into payloads. It never fails because of a mail's content: a part that can't be read is left
 * out.
 *
 * <p>The text is taken from the plain form of a mail, else from the HTML. Nothing else is fetched, and the mail is not
 * marked as read.
 */
public final class MailReader {

    /** Enough text to tell one mail from another and for a snippet. */
    private static final int LEAST_BYTES = 4_000;

    private static final int FINGERPRINT_CHARS = 1_000;

    private final Predicate<String> answers;
    private final String account;
    private final boolean includeBody;
    private final int maxBytes;

    /**
     * @param account the mailbox's address; payloads and keys name it
     * @param includeBody whether payloads have a {@code body}, beside the snippet
     * @param maxBytes limit of a body in UTF-8 bytes
     */
    public MailReader(String account, boolean includeBody, int maxBytes) {
        this(account, includeBody, maxBytes, to -> false);
    }

    /**
     * Creates a reader for mails that a channel may answer.
     *
     * @param answers whether there is a channel that takes answers to a recipient ({@code address/ids/subject})
     */
    public MailReader(String account, boolean includeBody, int maxBytes, Predicate<String> answers) {
        this.account = account;
        this.answers = answers;
        this.includeBody = includeBody;
        this.maxBytes = maxBytes;
    }

    /** Adds to {@code profile} the data that can be fetched for many mails at once, instead of for each as it is read. */
    public static void ask(FetchProfile profile) {
        MailHeaders.ask(profile);
    }

    /**
     * Reads {@code mail} from an open IMAP folder or from a file.
     *
     * @throws MessagingException only if the connection to the server is lost, so that the same mail may be read later over
     *     another one, or if the mail itself is gone ({@link jakarta.mail.MessageRemovedException})
     */
    public MailHookPayload read(Message mail, ServerMetadata serverMetadata) throws MessagingException {
        if (mail instanceof IMAPMessage imap) {
            imap.setPeek(true);
        }
        try {
            MailHeaders.fetch(mail);
        } catch (MessagingException | RuntimeException | StackOverflowError e) {
            ServerFaultFilter.rethrow(mail, e);
        }
        MailHeaders headers = headers(mail);
        MailContent content = MailContent.of(mail, Math.max(includeBody ? maxBytes : 0, LEAST_BYTES));
        return read(headers, content, serverMetadata);
    }

    /** The headers as the server reports them; if it reports none, as they were sent. */
    private MailHeaders headers(Message mail) throws MessagingException {
        MailHeaders headers = MailHeaders.of((MimePart) mail, mail, account);
        if (!headers.isNothing()) {
            return headers;
        }
        try {
            return MailHeaders.of(MailContent.beginning(mail), mail, account);
        } catch (MessagingException | IOException | RuntimeException | StackOverflowError e) {
            ServerFaultFilter.rethrow(mail, e);
            return headers;
        }
    }

    private MailHookPayload read(MailHeaders headers, MailContent content, ServerMetadata serverMetadata) {
        String id = headers.messageId().isEmpty() ? MailIds.bounded(serverMetadata.uid()) : headers.messageId();
        String threadId = id;
        if (serverMetadata.gmailId() != null) {
            id = MailIds.bounded(serverMetadata.gmailId());
            threadId = serverMetadata.gmailThread() == null ? id : MailIds.bounded(serverMetadata.gmailThread());
        } else if (!headers.references().isEmpty()) {
            threadId = headers.references();
        } else if (!headers.inReplyTo().isEmpty()) {
            threadId = headers.inReplyTo();
        }
        String key = serverMetadata.gmailId() != null
                ? MailIds.gmailKey(account, id)
                : MailIds.key(
                        account,
                        id,
                        List.of(
                                headers.from(),
                                headers.to(),
                                headers.subject(),
                                headers.sent(),
                                SingleLineText.cut(content.text(), FINGERPRINT_CHARS)));
        byte[] payload = MailPayload.of(
                account,
                id,
                threadId,
                headers,
                serverMetadata.labels(),
                content.within(maxBytes),
                includeBody,
                answers);
        return new MailHookPayload(payload, id, key, content.refused());
    }
}
