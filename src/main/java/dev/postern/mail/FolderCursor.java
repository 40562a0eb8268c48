package dev.postern.mail;

import java.time.Instant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/**
 * The position up to which a folder was read. Servers number mails in the order of their arrival, until they renumber all
 * of them (RFC 9051, 2.3.1.1). After that, and on the first read, the second of arrival tells whether a mail with a number
 * up to {@code until} is new.
 *
 * @param validity the folder's UIDVALIDITY, which identifies the numbering
 * @param uid UID of the last mail that was read; 0 for none
 * @param until up to this UID a mail is new only if {@code known} does not cover it
 * @param known the latest arrival before the mails up to {@code until} were read
 * @param latest the latest arrival by now
 * @param markPending whether the mail at {@code uid} was handled and must still be marked or moved
 */
record FolderCursor(
        long validity, long uid, long until, LatestArrival known, LatestArrival latest, boolean markPending) {

    /** The cursor before any folder was opened. */
    static final FolderCursor NOWHERE = first(0, 0, Instant.EPOCH);

    /** Begins the second of {@code latest} in the text of a cursor, where that is another one than {@code known}. */
    private static final String LATEST = "@";

    /**
     * The cursor at which reading begins.
     *
     * @param last UID of the last mail in the folder
     * @param since arrival time of the first mail to read
     */
    static FolderCursor first(long validity, long last, Instant since) {
        LatestArrival none = new LatestArrival(since.getEpochSecond(), List.of());
        return new FolderCursor(validity, 0, last, none, none, false);
    }

    /** The cursor at which reading goes on after the server has renumbered the mails, up to UID {@code last}. */
    FolderCursor renumbered(long validity, long last) {
        return new FolderCursor(validity, 0, last, uid < until ? known : latest, latest, false);
    }

    /** Whether the arrival of the mail {@code uid} alone tells that it is old. */
    boolean isOld(long uid, Instant arrived) {
        return uid <= until && known.isAfter(arrived);
    }

    /** Whether the mail {@code uid} is old, judged by its arrival if the UID alone can't tell. */
    boolean isOld(long uid, Instant arrived, String key) {
        return uid <= until && known.covers(arrived, key);
    }

    /** The cursor behind the mail {@code uid}, which was handled or is skipped. */
    FolderCursor after(long uid, Instant arrived, String key, boolean owed) {
        LatestArrival arrival = latest.with(arrived, key);
        return new FolderCursor(validity, uid, until, uid <= until ? known : arrival, arrival, owed);
    }

    /** The cursor behind the mail {@code uid}, which was not read. */
    FolderCursor past(long uid) {
        return new FolderCursor(validity, uid, until, known, latest, false);
    }

    /** The cursor behind all mails that only their arrival time tells apart. */
    FolderCursor settled() {
        return new FolderCursor(validity, Math.max(uid, until), until, latest, latest, markPending);
    }

    /** The same cursor, with no mail left to mark or move. */
    FolderCursor withoutPendingMark() {
        return new FolderCursor(validity, uid, until, known, latest, false);
    }

    /** The cursor as text that {@link #of} reads. */
    String text() {
        List<String> words = new ArrayList<>();
        words.add(String.valueOf(validity));
        words.add(String.valueOf(uid));
        words.add(String.valueOf(until));
        words.add(String.valueOf(known.second()));
        words.add(markPending ? "1" : "0");
        words.addAll(known.names());
        if (!latest.equals(known)) {
            words.add(LATEST + latest.second());
            words.addAll(latest.names());
        }
        return String.join(" ", words);
    }

    /**
     * Parses a cursor.
     *
     * @throws IllegalArgumentException if {@code text} is no cursor
     */
    static FolderCursor of(String text) {
        List<String> words = Arrays.asList(text.split(" "));
        if (words.size() < 5) {
            throw new IllegalArgumentException("no place in a mailbox");
        }
        int end = 5;
        while (end < words.size() && !words.get(end).startsWith(LATEST)) {
            end++;
        }
        LatestArrival known = new LatestArrival(Long.parseLong(words.get(3)), words.subList(5, end));
        LatestArrival latest = end == words.size()
                ? known
                : new LatestArrival(
                        Long.parseLong(words.get(end).substring(LATEST.length())),
                        words.subList(end + 1, words.size()));
        return new FolderCursor(
                Long.parseLong(words.get(0)),
                Long.parseLong(words.get(1)),
                Long.parseLong(words.get(2)),
                known,
                latest,
                words.get(4).equals("1"));
    }
}
