package dev.postern.mail;

import dev.postern.model.Sha256;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * The position up to which a folder was read. Servers number mails in the order of their arrival, until they renumber all
 * of them (RFC 9051, 2.3.1.1). After that, and on the first read, the second of arrival tells whether a mail with a number
 * up to {@code until} is new.
 *
 * @param validity the folder's UIDVALIDITY, which identifies the numbering
 * @param uid UID of the last mail that was read; 0 for none
 * @param until up to this UID a mail is new only if it arrived at {@code second} or later and is not in {@code latest}
 * @param second arrival time of the latest mail, in epoch seconds
 * @param latest the mails of that second that were read, as short hashes of their keys
 * @param markPending whether the mail at {@code uid} was handled and must still be marked or moved
 */
record FolderCursor(long validity, long uid, long until, long second, List<String> latest, boolean markPending) {

    /** The cursor before any folder was opened. */
    static final FolderCursor NOWHERE = new FolderCursor(0, 0, 0, 0, List.of(), false);

    /** Limit of the mails of one second that are told apart. */
    private static final int MOST_LATEST = 100;

    FolderCursor {
        latest = List.copyOf(latest);
    }

    /**
     * The cursor at which reading begins.
     *
     * @param last UID of the last mail in the folder
     * @param since arrival time of the first mail to read
     */
    static FolderCursor first(long validity, long last, Instant since) {
        return new FolderCursor(validity, 0, last, since.getEpochSecond(), List.of(), false);
    }

    /** The cursor at which reading goes on after the server has renumbered the mails, up to UID {@code last}. */
    FolderCursor renumbered(long validity, long last) {
        return new FolderCursor(validity, 0, last, second, latest, false);
    }

    /** Whether the mail {@code uid} is old, judged by its arrival if the UID alone can't tell. */
    boolean isOld(long uid, Instant arrived, String key) {
        long at = arrived.getEpochSecond();
        return uid <= until && (at < second || (at == second && latest.contains(name(key))));
    }

    /** The cursor behind the mail {@code uid}, which was handled or is skipped. */
    FolderCursor after(long uid, Instant arrived, String key, boolean owed) {
        long at = arrived.getEpochSecond();
        if (uid <= until || at < second) {
            return new FolderCursor(validity, uid, until, second, latest, owed);
        }
        List<String> names = at > second ? new ArrayList<>() : new ArrayList<>(latest);
        if (names.size() < MOST_LATEST) {
            names.add(name(key));
        }
        return new FolderCursor(validity, uid, until, at, names, owed);
    }

    /** The cursor behind all mails that only their arrival time tells apart. */
    FolderCursor settled() {
        return new FolderCursor(validity, Math.max(uid, until), until, second, latest, markPending);
    }

    /** The same cursor, with no mail left to mark or move. */
    FolderCursor withoutPendingMark() {
        return new FolderCursor(validity, uid, until, second, latest, false);
    }

    /** The cursor as text that {@link #of} reads. */
    String text() {
        return Stream.of(validity, uid, until, second, markPending ? 1 : 0)
                        .map(String::valueOf)
                        .collect(Collectors.joining(" "))
                + latest.stream().map(name -> " " + name).collect(Collectors.joining());
    }

    /**
     * Parses a cursor.
     *
     * @throws IllegalArgumentException if {@code text} is no cursor
     */
    static FolderCursor of(String text) {
        String[] words = text.split(" ");
        if (words.length < 5) {
            throw new IllegalArgumentException("no place in a mailbox");
        }
        return new FolderCursor(
                Long.parseLong(words[0]),
                Long.parseLong(words[1]),
                Long.parseLong(words[2]),
                Long.parseLong(words[3]),
                Arrays.asList(words).subList(5, words.length),
                words[4].equals("1"));
    }

    private static String name(String key) {
        return Sha256.name(key, 16);
    }
}
