package dev.postern.mail;

import dev.postern.model.Sha256;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;

/**
 * The latest arrival in a folder, by which mails are told apart after a renumbering.
 *
 * @param second its time, in epoch seconds
 * @param names the mails of that second that were read, as short hashes of their keys
 */
record LatestArrival(long second, List<String> names) {

    /** Limit of the mails of one second that are told apart. */
    private static final int MOST_NAMES = 100;

    LatestArrival {
        names = List.copyOf(names);
    }

    /** Whether a mail that arrived at {@code arrived} had come before that second. */
    boolean isAfter(Instant arrived) {
        return arrived.getEpochSecond() < second;
    }

    /** Whether a mail that arrived at {@code arrived} had come by then. */
    boolean covers(Instant arrived, String key) {
        return isAfter(arrived) || (arrived.getEpochSecond() == second && names.contains(name(key)));
    }

    /** The latest arrival once a mail that arrived at {@code arrived} was read too. */
    LatestArrival with(Instant arrived, String key) {
        long at = arrived.getEpochSecond();
        if (covers(arrived, key) || (at == second && names.size() == MOST_NAMES)) {
            return this;
        }
        List<String> more = at > second ? new ArrayList<>() : new ArrayList<>(names);
        more.add(name(key));
        return new LatestArrival(at, more);
    }

    private static String name(String key) {
        return Sha256.name(key, 16);
    }
}
