package dev.postern.mail;

import dev.postern.model.Sha256;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * How far a mailbox was read. Servers number mails in the order of their arrival, until they number all of them anew
 * (RFC 9051, 2.3.1.1); then, and at the very first, the mails with numbers up to {@code until} are told apart by the second
 * in which they arrived.
 *
 * @param validity which numbering it is: UIDVALIDITY
 * @param uid of the last mail that was read; 0 for none
 * @param until up to this UID a mail counts only when it arrived at {@code second} or later and is none of {@code latest}
 * @param second epoch seconds: when the latest mail arrived
 * @param latest the mails of that second that were read, by short names of their keys
 * @param owed whether the mail at {@code uid} was handled, so that it has to be marked or moved
 */
record FolderCursor(long validity, long uid, long until, long second, List<String> latest, boolean owed) {

    /** In no mailbox. */
    static final FolderCursor NOWHERE = new FolderCursor(0, 0, 0, 0, List.of(), false);

    /** So many mails of one second are told apart. */
    private static final int MOST_LATEST = 100;

    FolderCursor {
        latest = List.copyOf(latest);
    }

    /**
     * Where reading begins.
     *
     * @param last the UID of the last mail that is there
     * @param since mails that arrived from then on are read
     */
    static FolderCursor first(long validity, long last, Instant since) {
        return new FolderCursor(validity, 0, last, since.getEpochSecond(), List.of(), false);
    }

    /** Where reading goes on after the server has numbered the mails anew, up to {@code last}. */
    FolderCursor renumbered(long validity, long last) {
        return new FolderCursor(validity, 0, last, second, latest, false);
    }

    /** Whether the mail {@code uid} was there before, as far as its number does not tell. */
    boolean isOld(long uid, Instant arrived, String key) {
        long at = arrived.getEpochSecond();
        return uid <= until && (at < second || (at == second && latest.contains(name(key))));
    }

    /** Behind the mail {@code uid}, which was handled or is passed over. */
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

    /** Behind all that is doubtful. */
    FolderCursor settled() {
        return new FolderCursor(validity, Math.max(uid, until), until, second, latest, owed);
    }

    /** Nothing is owed any more. */
    FolderCursor paid() {
        return new FolderCursor(validity, uid, until, second, latest, false);
    }

    /** As {@link #of} reads it. */
    String text() {
        return Stream.of(validity, uid, until, second, owed ? 1 : 0)
                        .map(String::valueOf)
                        .collect(Collectors.joining(" "))
                + latest.stream().map(name -> " " + name).collect(Collectors.joining());
    }

    /**
     * The place that {@code text} stands for.
     *
     * @throws IllegalArgumentException for a text of another kind
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
