package dev.postern.mail;

import dev.postern.acceptance.SourceCursors.Reader;
import dev.postern.config.MailboxSettings;
import dev.postern.config.MailboxSettings.Afterwards;
import dev.postern.mail.FolderReadProgress.Enough;
import dev.postern.mail.FolderReadProgress.Later;
import dev.postern.mail.FolderReadProgress.Lost;
import dev.postern.mail.FolderReadProgress.UpToDate;
import dev.postern.mail.MailException.Kind;
import dev.postern.mail.message.MailHookPayload;
import dev.postern.mail.message.MailReader;
import dev.postern.model.HookResult;
import jakarta.mail.Message;
import jakarta.mail.MessageRemovedException;
import jakarta.mail.MessagingException;
import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.Collections;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.function.BooleanSupplier;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * A reader that submits a folder's new mails to ingress, one after the other in the order of their UIDs. The stored cursor
 * moves behind a mail in the transaction that accepts its hook request. There is one for the life of the watcher, used by
 * its thread alone.
 */
final class FolderReader {

    private static final Logger LOG = System.getLogger(FolderReader.class.getName());

    private static final int CHUNK = 50;

    /** Limit of announcements in a row without a new mail: some servers announce the same mails with each response. */
    private static final int MOST_VAIN_LOOKS = 3;

    /** The longest wait for a budget, so that the status of the watch stays fresh. */
    private static final Duration LONGEST_BUDGET_WAIT = Duration.ofMinutes(5);

    /**
     * After this number of attempts in a row to read the same mail, each of which the server refused or lost the connection
     * in, the mail counts as the cause. A connection that is lost at another time counts for no mail. The number is doubled
     * for each mail before it that was given up in a row, since the server may be the cause.
     */
    private static final int MOST_ATTEMPTS = 5;

    private static final int MOST_DOUBLINGS = 10;

    private final MailboxSettings watch;
    private final MailSubmitter mailSubmitter;
    private final MailReader reader;
    private final MailMetrics metrics;
    private final InstantSource clock;
    private final BooleanSupplier closing;
    private final Duration poll;
    private final int most;
    private FolderCursor folderCursor = FolderCursor.NOWHERE;
    /** The stored cursor as text; null if it was never moved. */
    private @Nullable String stored;

    /** The stored cursor, as text, whose mail was marked or moved last; null if there was none. */
    private @Nullable String marked;

    /** Number of mails read since the folder was opened. */
    private int count;

    /** Number of polls in a row that found no new mail though one was announced before. */
    private int vainLooks;

    /** UID of the last mail that could not be read, and the number of attempts at it in a row. */
    private long failedUid;

    private int failedAttempts;

    /** UID of the last mail that was given up, or taken without its text, and the number of those in a row. */
    private long givenUpUid;

    private int givenUp;

    /**
     * @param closing true once no more mails may be read
     * @param poll interval between two polls of a server that announces mails in vain, and between two attempts to read a
     *     mail
     * @param most number of mails to read before the folder is reopened
     * @param answers whether there is a channel that takes answers to a recipient
     */
    FolderReader(
            MailboxSettings watch,
            MailSubmitter mailSubmitter,
            MailMetrics metrics,
            InstantSource clock,
            BooleanSupplier closing,
            Duration poll,
            int most,
            Predicate<String> answers) {
        this.watch = watch;
        this.mailSubmitter = mailSubmitter;
        this.reader = new MailReader(watch.account(), watch.includeBody(), watch.maxBytes(), answers);
        this.metrics = metrics;
        this.clock = clock;
        this.closing = closing;
        this.poll = poll;
        this.most = most;
    }

    /**
     * Begins, in a folder that was just opened, at the stored cursor. If it was never moved, begins with the mails that have
     * arrived since the time in the settings, or else since the watch was first started.
     *
     * @return false if there was no cursor and another node has stored one
     * @throws MailException also if the database does not store the first cursor
     */
    boolean begin(OpenMailFolder folder, Reader.Self self) throws MailException {
        @Nullable String bookmark = self.place();
        long validity = folder.validity();
        long last = folder.last();
        stored = bookmark;
        count = 0;
        if (bookmark == null) {
            Instant since = watch.since();
            folderCursor = FolderCursor.first(validity, last, since == null ? self.since() : since);
            return move(folderCursor);
        }
        folderCursor = FolderCursor.of(bookmark);
        // UIDNEXT never falls, unless a server reuses the UIDVALIDITY of a folder that was deleted and created again.
        if (folderCursor.validity() != validity || last < folderCursor.uid()) {
            LOG.log(Level.WARNING, "UIDVALIDITY changed; using arrival dates to skip mails already handled");
            folderCursor = folderCursor.renumbered(validity, last);
        }
        return true;
    }

    /** Reads on until all mails are read, or no more can be accepted. */
    FolderReadProgress readOn(OpenMailFolder folder) throws MailException {
        if (folderCursor.markPending()) {
            @Nullable Message mail = folder.mail(folderCursor.uid());
            if (!markMailAtCursor(folder, mail)) {
                return new Lost();
            }
        }
        if (folderCursor.uid() < folderCursor.until()) {
            Instant since = Instant.ofEpochSecond(folderCursor.known().second());
            FolderReadProgress progress =
                    readAll(folder, folder.since(since, folderCursor.uid(), folderCursor.until()));
            if (!(progress instanceof UpToDate)) {
                return progress;
            }
            folderCursor = folderCursor.settled();
            if (!move(folderCursor)) {
                return new Lost();
            }
        }
        return readNew(folder);
    }

    /** Reads new mails until a poll finds none: a server may announce a mail once, in the response to any command. */
    private FolderReadProgress readNew(OpenMailFolder folder) throws MailException {
        while (true) {
            boolean announced = folder.isNewMailAnnounced();
            List<Message> mails = folder.after(folderCursor.uid());
            if (mails.isEmpty()) {
                vainLooks = announced ? vainLooks + 1 : 0;
                if (vainLooks >= MOST_VAIN_LOOKS) {
                    return new Later(poll);
                }
                if (!folder.isNewMailAnnounced()) {
                    return new UpToDate();
                }
            } else {
                vainLooks = 0;
                FolderReadProgress progress = readAll(folder, mails);
                if (!(progress instanceof UpToDate)) {
                    return progress;
                }
            }
        }
    }

    private FolderReadProgress readAll(OpenMailFolder folder, List<Message> mails) throws MailException {
        for (int from = 0; from < mails.size(); from += CHUNK) {
            List<Message> chunk = mails.subList(from, Math.min(from + CHUNK, mails.size()));
            if (count >= most) {
                return new Enough();
            }
            folder.prefetch(chunk);
            for (Message mail : chunk) {
                FolderReadProgress progress = closing.getAsBoolean() ? new Lost() : read(folder, mail);
                folder.forget(mail);
                if (!(progress instanceof UpToDate)) {
                    return progress;
                }
            }
        }
        return new UpToDate();
    }

    private FolderReadProgress read(OpenMailFolder folder, Message mail) throws MailException {
        long uid = folder.uid(mail);
        Instant arrived;
        MailHookPayload read;
        try {
            arrived = folder.arrived(mail).orElseGet(clock::instant);
            if (folderCursor.isOld(uid, arrived)) {
                folderCursor = folderCursor.past(uid);
                return new UpToDate();
            }
            count++;
            read = reader.read(mail, folder.received(mail, watch.label()));
        } catch (MessageRemovedException gone) {
            return skip(folderCursor.past(uid), MailSkipReason.GONE, "");
        } catch (MessagingException | RuntimeException | StackOverflowError e) {
            if (isGivenUp(uid)) {
                return skip(folderCursor.past(uid), MailSkipReason.UNREADABLE, "");
            }
            if (MailFailureMessages.isLost(e)) {
                throw new MailException(Kind.LOST, "the connection was lost while a mail was read", e);
            }
            LOG.log(Level.DEBUG, "Reading a mail failed; retrying", e);
            return new Later(poll);
        }
        if (!read.textRefused()) {
            givenUp = 0;
        } else if (givenUpUid != uid) {
            if (!isGivenUp(uid)) {
                return new Later(poll);
            }
            LOG.log(
                    Level.WARNING,
                    "Reading mail with UID {0} without its text, which the mail server failed to give each time",
                    String.valueOf(uid));
        }
        FolderCursor next =
                folderCursor.after(uid, arrived, read.key(), !(watch.afterwards() instanceof Afterwards.Leave));
        if (folderCursor.isOld(uid, arrived, read.key())) {
            folderCursor = next.withoutPendingMark();
            return new UpToDate();
        }
        return settle(folder, mailSubmitter.submit(read.payload(), read.key(), stored, next), mail, next);
    }

    /** Counts an attempt to read the mail {@code uid} that failed; true if it was the last one. */
    private boolean isGivenUp(long uid) {
        failedAttempts = uid == failedUid ? failedAttempts + 1 : 1;
        failedUid = uid;
        if (failedAttempts < MOST_ATTEMPTS << Math.min(givenUp, MOST_DOUBLINGS)) {
            return false;
        }
        givenUpUid = uid;
        givenUp++;
        return true;
    }

    private FolderReadProgress settle(OpenMailFolder folder, HookResult result, Message mail, FolderCursor next)
            throws MailException {
        if (result instanceof HookResult.Accepted || result instanceof HookResult.IdempotencyConflict) {
            stored = next.text();
            folderCursor = next;
            if (result instanceof HookResult.Accepted accepted && !accepted.replayed()) {
                metrics.handledOne();
            } else {
                metrics.repeatedOne();
            }
            return !next.markPending() || markMailAtCursor(folder, mail) ? new UpToDate() : new Lost();
        }
        if (result instanceof HookResult.Busy busy) {
            return new Later(busy.retryAfter());
        }
        if (result instanceof HookResult.Overloaded overloaded) {
            return new Later(overloaded.retryAfter());
        }
        if (result instanceof HookResult.BudgetSpent spent) {
            return new Later(Collections.min(List.of(spent.retryAfter(), LONGEST_BUDGET_WAIT)));
        }
        if (result instanceof HookResult.Unavailable unavailable) {
            return new Later(unavailable.retryAfter());
        }
        if (result instanceof HookResult.Superseded || result instanceof HookResult.Uncertain) {
            return new Lost(); // the stored cursor will tell whether it was accepted
        }
        if (result instanceof HookResult.Rejected rejected) {
            return skip(
                    next.withoutPendingMark(),
                    MailSkipReason.REFUSED,
                    ": " + rejected.rejection().sentence());
        }
        if (result instanceof HookResult.ScriptFailed failed) {
            return skip(next.withoutPendingMark(), MailSkipReason.SCRIPT, ": " + failed.sentence());
        }
        return skip(
                next.withoutPendingMark(),
                result instanceof HookResult.NoSuchHook ? MailSkipReason.NO_MAPPING : MailSkipReason.NOTHING,
                "");
    }

    /**
     * Marks or moves the mail at the cursor before the next one is read, and stores that. After an interruption it is done
     * when reading begins again; a mail that was marked, and whose cursor could not be stored, is not marked twice.
     *
     * @param mail null if it is gone
     * @return false if another node has moved the cursor
     */
    private boolean markMailAtCursor(OpenMailFolder folder, @Nullable Message mail) throws MailException {
        if (mail != null && !Objects.equals(marked, stored)) {
            note(folder.mark(mail, watch.afterwards()));
            marked = stored;
        }
        folderCursor = folderCursor.withoutPendingMark();
        return move(folderCursor);
    }

    /** Logs a failure once, and its end once. */
    private void note(Optional<MarkFailure> failure) {
        boolean news = metrics.marked(failure.orElse(null));
        if (failure.isPresent()) {
            LOG.log(
                    news ? Level.WARNING : Level.DEBUG,
                    "Mail with UID {0} was handled but not marked or moved as hooks.gmail.afterwards says: {1}",
                    String.valueOf(folderCursor.uid()),
                    failure.get().sentence());
        } else if (news) {
            LOG.log(Level.INFO, "Marking or moving handled mails works again (hooks.gmail.afterwards)");
        }
    }

    private FolderReadProgress skip(FolderCursor behind, MailSkipReason skip, String why) throws MailException {
        if (!move(behind)) {
            return new Lost();
        }
        folderCursor = behind;
        metrics.skippedOne(skip);
        LOG.log(
                skip == MailSkipReason.NOTHING ? Level.DEBUG : Level.WARNING,
                "Skipped mail with UID {0}: {1}{2}",
                String.valueOf(behind.uid()),
                skip.words(),
                why);
        return new UpToDate();
    }

    /** Moves the stored cursor; false if another node has moved it. */
    private boolean move(FolderCursor to) throws MailException {
        if (!mailSubmitter.move(stored, to)) {
            return false;
        }
        stored = to.text();
        return true;
    }
}
