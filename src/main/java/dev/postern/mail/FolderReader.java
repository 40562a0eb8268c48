package dev.postern.mail;

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
import java.util.List;
import java.util.Optional;
import java.util.function.BooleanSupplier;
import org.jspecify.annotations.Nullable;

/**
 * Takes what is new in a mailbox through the gate, one mail after the other in the order of their numbers. The bookmark
 * moves behind a mail in the transaction that accepts its hook. One for the life of the watch, and for its thread.
 */
final class FolderReader {

    private static final Logger LOG = System.getLogger(FolderReader.class.getName());

    private static final int CHUNK = 50;

    /** Some servers tell of the same mails with each answer. */
    private static final int MOST_VAIN_LOOKS = 3;

    private static final Duration SOON = Duration.ofSeconds(2);

    /** A connection that is lost so often in a row while the same mail is read is lost because of it. */
    private static final int MOST_LOSSES = 5;

    private final MailboxSettings watch;
    private final MailSubmitter room;
    private final MailReader reader;
    private final MailMetrics figures;
    private final InstantSource clock;
    private final BooleanSupplier closing;
    private final int most;
    private FolderCursor folderCursor = FolderCursor.NOWHERE;
    /** What the bookmark says; null where it was never moved. */
    private @Nullable String stored;

    /** The mails that were read since the folder was opened. */
    private int count;

    private long lostAt;
    private int losses;

    /**
     * @param closing true once nothing more is to be read
     * @param most mails that are read of a folder before it is opened anew
     */
    FolderReader(
            MailboxSettings watch,
            MailSubmitter room,
            MailMetrics figures,
            InstantSource clock,
            BooleanSupplier closing,
            int most) {
        this.watch = watch;
        this.room = room;
        this.reader = new MailReader(watch.account(), watch.includeBody(), watch.maxBytes());
        this.figures = figures;
        this.clock = clock;
        this.closing = closing;
        this.most = most;
    }

    /**
     * Begins, in a folder that was opened anew, where the bookmark is, or with what arrives from now on.
     *
     * @param bookmark what the bookmark says; null where it was never moved
     * @return false where that is now, and the bookmark can't be put there
     */
    boolean begin(OpenMailFolder folder, @Nullable String bookmark) throws MailException {
        long validity = folder.validity();
        long last = folder.last();
        stored = bookmark;
        count = 0;
        if (bookmark == null) {
            Instant since = watch.since();
            FolderCursor first = FolderCursor.first(validity, last, since == null ? clock.instant() : since);
            folderCursor = since == null ? first.settled() : first;
            return move(folderCursor);
        }
        folderCursor = FolderCursor.of(bookmark);
        // UIDNEXT never falls, unless a server gives a folder that is made anew the number of the one before.
        if (folderCursor.validity() != validity || last < folderCursor.uid()) {
            LOG.log(
                    Level.WARNING,
                    "The mail server numbers all mails of the folder anew; they are told apart by when they arrived");
            folderCursor = folderCursor.renumbered(validity, last);
        }
        return true;
    }

    /** Reads on until there is nothing more, or something is in the way. */
    FolderReadProgress readOn(OpenMailFolder folder) throws MailException {
        if (folderCursor.owed()) {
            @Nullable Message mail = folder.mail(folderCursor.uid());
            if (!pay(folder, mail)) {
                return new Lost();
            }
        }
        if (folderCursor.uid() < folderCursor.until()) {
            Instant since = Instant.ofEpochSecond(folderCursor.second());
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

    /** Servers tell of a mail once, be it in the answer to another question: so there is a look that finds nothing. */
    private FolderReadProgress readNew(OpenMailFolder folder) throws MailException {
        for (int vain = 0; vain < MOST_VAIN_LOOKS; vain++) {
            List<Message> mails = folder.after(folderCursor.uid());
            while (!mails.isEmpty()) {
                FolderReadProgress progress = readAll(folder, mails);
                if (!(progress instanceof UpToDate)) {
                    return progress;
                }
                mails = folder.after(folderCursor.uid());
            }
            if (!folder.isToldOfMore()) {
                break;
            }
        }
        return new UpToDate();
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
        count++;
        long uid = folder.uid(mail);
        Instant arrived = folder.arrived(mail).orElseGet(clock::instant);
        MailHookPayload read;
        try {
            read = reader.read(mail, folder.received(mail, watch.label()));
        } catch (MessageRemovedException gone) {
            return passOver(folderCursor.after(uid, arrived, "", false), MailSkipReason.GONE, "");
        } catch (MessagingException e) {
            losses = uid == lostAt ? losses + 1 : 1;
            lostAt = uid;
            if (losses < MOST_LOSSES) {
                throw new MailException(Kind.LOST, "the connection was lost while a mail was read", e);
            }
            return passOver(folderCursor.after(uid, arrived, "", false), MailSkipReason.UNREADABLE, "");
        }
        FolderCursor next =
                folderCursor.after(uid, arrived, read.key(), !(watch.afterwards() instanceof Afterwards.Leave));
        if (folderCursor.isOld(uid, arrived, read.key())) {
            folderCursor = next.paid();
            return new UpToDate();
        }
        return settle(folder, room.submit(read.payload(), read.key(), stored, next), mail, next);
    }

    private FolderReadProgress settle(OpenMailFolder folder, HookResult result, Message mail, FolderCursor next)
            throws MailException {
        if (result instanceof HookResult.Accepted || result instanceof HookResult.IdempotencyConflict) {
            stored = next.text();
            folderCursor = next;
            if (result instanceof HookResult.Accepted accepted && !accepted.replayed()) {
                figures.handledOne();
            } else {
                figures.repeatedOne();
            }
            return !next.owed() || pay(folder, mail) ? new UpToDate() : new Lost();
        }
        if (result instanceof HookResult.Busy) {
            return new Later(SOON);
        }
        if (result instanceof HookResult.Overloaded overloaded) {
            return new Later(overloaded.retryAfter());
        }
        if (result instanceof HookResult.Unavailable unavailable) {
            return new Later(unavailable.retryAfter());
        }
        if (result instanceof HookResult.Superseded || result instanceof HookResult.Uncertain) {
            return new Lost(); // the bookmark will tell whether it was accepted
        }
        if (result instanceof HookResult.Rejected rejected) {
            return passOver(
                    next.paid(),
                    MailSkipReason.REFUSED,
                    ": " + rejected.rejection().sentence());
        }
        if (result instanceof HookResult.ScriptFailed failed) {
            return passOver(next.paid(), MailSkipReason.SCRIPT, ": " + failed.sentence());
        }
        return passOver(
                next.paid(),
                result instanceof HookResult.NoSuchHook ? MailSkipReason.NO_MAPPING : MailSkipReason.NOTHING,
                "");
    }

    /**
     * Marks or moves the mail at the place, before the next one is read, and notes that; where it is broken off, it is done
     * when reading begins again.
     *
     * @param mail null where it is gone
     * @return false where that could not be noted
     */
    private boolean pay(OpenMailFolder folder, @Nullable Message mail) throws MailException {
        if (mail != null) {
            note(folder.mark(mail, watch.afterwards()));
        }
        folderCursor = folderCursor.paid();
        return move(folderCursor);
    }

    /** Says once what is wrong, and once that it is not any more. */
    private void note(Optional<MarkFailure> failure) {
        boolean news = figures.marked(failure.orElse(null));
        if (failure.isPresent()) {
            LOG.log(
                    news ? Level.WARNING : Level.DEBUG,
                    "A mail (UID {0}) was handled, and is not marked or moved as hooks.gmail.afterwards says: {1}",
                    String.valueOf(folderCursor.uid()),
                    failure.get().sentence());
        } else if (news) {
            LOG.log(Level.INFO, "Mails that were handled are marked or moved again, as hooks.gmail.afterwards says");
        }
    }

    private FolderReadProgress passOver(FolderCursor behind, MailSkipReason skip, String why) {
        if (!move(behind)) {
            return new Lost();
        }
        folderCursor = behind;
        figures.skippedOne(skip);
        LOG.log(
                skip == MailSkipReason.NOTHING ? Level.DEBUG : Level.WARNING,
                "A mail (UID {0}) was passed over, since {1}{2}",
                String.valueOf(behind.uid()),
                skip.words(),
                why);
        return new UpToDate();
    }

    /** Moves the bookmark; false where it was not to be moved, or nobody knows. */
    private boolean move(FolderCursor to) {
        if (!room.move(stored, to)) {
            return false;
        }
        stored = to.text();
        return true;
    }
}
