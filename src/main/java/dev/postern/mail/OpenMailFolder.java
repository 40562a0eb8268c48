package dev.postern.mail;

import dev.postern.config.MailboxSettings.Afterwards;
import dev.postern.mail.MailException.Kind;
import dev.postern.mail.message.MailReader;
import dev.postern.mail.message.ServerMetadata;
import dev.postern.net.ClosableSocketFactory;
import jakarta.mail.FetchProfile;
import jakarta.mail.Message;
import jakarta.mail.MessageRemovedException;
import jakarta.mail.MessagingException;
import jakarta.mail.UIDFolder;
import jakarta.mail.search.ComparisonTerm;
import jakarta.mail.search.ReceivedDateTerm;
import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Date;
import java.util.List;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.concurrent.atomic.AtomicBoolean;
import org.eclipse.angus.mail.gimap.GmailFolder;
import org.eclipse.angus.mail.gimap.GmailMessage;
import org.eclipse.angus.mail.iap.Response;
import org.eclipse.angus.mail.imap.IMAPFolder;
import org.eclipse.angus.mail.imap.IMAPMessage;
import org.eclipse.angus.mail.imap.protocol.BASE64MailboxDecoder;
import org.eclipse.angus.mail.imap.protocol.IMAPResponse;
import org.jspecify.annotations.Nullable;

/** A folder of a mailbox, open over one connection. For one thread. */
final class OpenMailFolder {

    private static final Logger LOG = System.getLogger(OpenMailFolder.class.getName());
    private static final Duration DAY = Duration.ofDays(1);

    private final ImapServerSettings server;
    private final ClosableSocketFactory closableSocketFactory;
    private final IMAPFolder folder;
    private final MailMarker marker;
    private final boolean gmail;
    /** Whether the server has announced a mail since the last poll. */
    private final AtomicBoolean newMailAnnounced = new AtomicBoolean();

    /**
     * @param closableSocketFactory the connection's
     */
    OpenMailFolder(
            ImapServerSettings server, ClosableSocketFactory closableSocketFactory, ImapStore store, IMAPFolder folder)
            throws MessagingException {
        this.server = server;
        this.closableSocketFactory = closableSocketFactory;
        this.folder = folder;
        this.marker = new MailMarker(server, store, folder);
        this.gmail = store.hasCapability("X-GM-EXT-1");
        Object unused = folder.doCommand(protocol -> {
            protocol.addResponseHandler(this::handleResponse);
            return protocol;
        });
    }

    /** Number of mails in the folder. */
    int count() throws MailException {
        return asked(folder::getMessageCount);
    }

    /** The folder's UIDVALIDITY, which identifies the numbering of its mails. */
    long validity() throws MailException {
        return asked(folder::getUIDValidity);
    }

    /** The UID of the last mail that was there when the folder was opened; 0 for none. */
    long last() throws MailException {
        return asked(() -> {
            long next = folder.getUIDNext();
            if (next > 0) {
                return next - 1;
            }
            int count = folder.getMessageCount();
            return count == 0 ? 0L : folder.getUID(folder.getMessage(count));
        });
    }

    long uid(Message mail) throws MailException {
        return asked(() -> folder.getUID(mail));
    }

    /** The mails with UIDs above {@code uid}, in their order. */
    List<Message> after(long uid) throws MailException {
        return asked(() -> {
            Object unused = folder.doCommand(protocol -> {
                protocol.noop(); // otherwise some servers don't show new mails
                return protocol;
            });
            newMailAnnounced.set(false);
            List<Message> mails = new ArrayList<>();
            for (Message mail : folder.getMessagesByUID(uid + 1, UIDFolder.LASTUID)) {
                if (folder.getUID(mail) > uid) { // the server returns the last one in any case
                    mails.add(mail);
                }
            }
            return mails;
        });
    }

    /** Whether the server announced a mail during {@link #after}, whose result may then lack it. */
    boolean isNewMailAnnounced() {
        return newMailAnnounced.get();
    }

    /**
     * The mails above {@code uid} up to {@code until} that may have arrived at {@code since} or later, in the order of
     * their UIDs; some may be up to two days older.
     */
    List<Message> since(Instant since, long uid, long until) throws MailException {
        return asked(() -> {
            ReceivedDateTerm term = new ReceivedDateTerm(ComparisonTerm.GE, Date.from(since.minus(DAY)));
            Message[] found = folder.search(term);
            FetchProfile uids = new FetchProfile();
            uids.add(UIDFolder.FetchProfileItem.UID);
            folder.fetch(found, uids);
            SortedMap<Long, Message> mails = new TreeMap<>();
            for (Message mail : found) {
                mails.put(folder.getUID(mail), mail);
            }
            return List.copyOf(mails.subMap(uid + 1, until + 1).values());
        });
    }

    /**
     * Time when {@code mail} arrived in the mailbox (INTERNALDATE); empty if the server does not say.
     *
     * @throws MessagingException if the connection is lost, or if the server can't tell of this mail
     */
    Optional<Instant> arrived(Message mail) throws MessagingException {
        return Optional.ofNullable(mail.getReceivedDate()).map(Date::toInstant);
    }

    /**
     * The server's metadata of {@code mail}.
     *
     * @throws MessagingException if the connection is lost, or if the server can't tell of this mail
     */
    ServerMetadata received(Message mail, String label) throws MessagingException {
        String uid = folder.getUIDValidity() + "-" + folder.getUID(mail);
        if (!gmail || !(mail instanceof GmailMessage own)) {
            return new ServerMetadata(uid, null, null, List.of(label));
        }
        List<String> labels = new ArrayList<>();
        labels.add(label);
        String[] others = own.getLabels();
        if (others != null) {
            // Gmail encodes them as the names of folders (RFC 3501, section 5.1.3), and Angus leaves them so.
            Arrays.stream(others).map(BASE64MailboxDecoder::decode).forEach(labels::add);
        }
        return new ServerMetadata(uid, Long.toHexString(own.getMsgId()), Long.toHexString(own.getThrId()), labels);
    }

    /** The mail {@code uid}; null if it is gone. */
    @Nullable
    Message mail(long uid) throws MailException {
        return asked(() -> folder.getMessageByUID(uid));
    }

    /** The {@code most} newest mails, oldest first. */
    List<Message> newest(int most) throws MailException {
        return asked(() -> {
            int count = folder.getMessageCount();
            return count == 0
                    ? List.<Message>of()
                    : Arrays.asList(folder.getMessages(Math.max(1, count - most + 1), count));
        });
    }

    /** Fetches the metadata of {@code mails} with one command, instead of one for each mail as it is read. */
    void prefetch(List<Message> mails) throws MailException {
        FetchProfile profile = new FetchProfile();
        profile.add(UIDFolder.FetchProfileItem.UID);
        MailReader.ask(profile);
        if (gmail) {
            profile.add(GmailFolder.FetchProfileItem.MSGID);
            profile.add(GmailFolder.FetchProfileItem.THRID);
            profile.add(GmailFolder.FetchProfileItem.LABELS);
        }
        try {
            folder.fetch(mails.toArray(new Message[0]), profile);
        } catch (MessagingException | RuntimeException | StackOverflowError e) {
            if (MailFailureMessages.isLost(e)) {
                throw lost(e);
            }
            LOG.log(Level.DEBUG, "Prefetching mails failed; fetching them one by one", e);
        }
    }

    /** Frees the fetched data of {@code mail}. */
    void forget(Message mail) {
        if (mail instanceof IMAPMessage fetched) {
            fetched.invalidateHeaders();
        }
    }

    /** Runs {@code command} while nothing else speaks with the server. */
    void command(IMAPFolder.ProtocolCommand command) throws MailException {
        asked(() -> folder.doCommand(command));
    }

    /** Marks or moves a handled mail as {@code afterwards} says; gives the failure if the server refuses. */
    Optional<MarkFailure> mark(Message mail, Afterwards afterwards) throws MailException {
        try {
            marker.mark(mail, afterwards);
            return Optional.empty();
        } catch (MessageRemovedException gone) {
            return Optional.empty();
        } catch (MessagingException e) {
            if (MailFailureMessages.isLost(e)) {
                throw lost(e);
            }
            return Optional.of(marker.failure(afterwards, e));
        }
    }

    /** Fails if mails can't be moved to {@code target} because there is no such folder, or because it can't hold mails. */
    void requireTarget(String target) throws MailException {
        try {
            marker.requireTarget(target);
        } catch (MessagingException e) {
            throw new MailException(
                    Kind.LOST, server.host() + " does not say whether there is a folder [" + target + "]", e);
        }
    }

    private void handleResponse(Response response) {
        if (response instanceof IMAPResponse untagged && untagged.keyEquals("EXISTS")) {
            newMailAnnounced.set(true);
        }
    }

    /** Closes the folder if the server still answers. */
    void close() throws MessagingException {
        folder.close(false);
    }

    private interface FolderOperation<T extends @Nullable Object> {
        T ask() throws MessagingException;
    }

    private <T extends @Nullable Object> T asked(FolderOperation<T> folderOperation) throws MailException {
        try {
            return folderOperation.ask();
        } catch (MessagingException | IllegalStateException e) {
            throw MailFailureMessages.isLost(e)
                    ? lost(e)
                    : new MailException(Kind.LOST, server.host() + " did not do what it was asked", e);
        }
    }

    /** Closes the sockets, because a LOGOUT would wait for a server that is gone, and creates the exception. */
    private MailException lost(Throwable thrown) {
        closableSocketFactory.close();
        return new MailException(Kind.LOST, "the connection to " + server.host() + " was lost", thrown);
    }
}
