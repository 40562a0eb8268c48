package dev.postern.store;

import java.sql.SQLException;
import java.util.ArrayDeque;
import java.util.Collections;
import java.util.Deque;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * A search through the exceptions behind an exception: its causes, its suppressed exceptions, and those that a driver
 * has chained to it.
 */
final class SqlCauseChain {

    /**
     * The SQLState classes that say why a database is unavailable: the connection failed (08), the login is wrong (28),
     * there is no such database (3D), it has no resources left (53), an operator intervened (57).
     */
    private static final Set<String> TELLING = Set.of("08", "28", "3D", "53", "57");

    private static final int STATE_CLASS = 2;
    private static final int MOST = 100;

    private SqlCauseChain() {}

    /**
     * The most informative exception: the first with a state of {@link #TELLING}, else the first with any state, else
     * {@code fault}. A pool's own exceptions mostly have no state.
     */
    static Throwable mostTelling(Throwable fault) {
        Set<Throwable> seen = Collections.newSetFromMap(new IdentityHashMap<>());
        Deque<Throwable> open = new ArrayDeque<>();
        open.add(fault);
        @Nullable SQLException stated = null;
        while (!open.isEmpty() && seen.size() < MOST) {
            Throwable next = open.remove();
            if (!seen.add(next)) {
                continue;
            }
            if (next instanceof SQLException told) {
                @Nullable String state = told.getSQLState();
                if (state != null
                        && state.length() > STATE_CLASS
                        && TELLING.contains(state.substring(0, STATE_CLASS))) {
                    return told;
                }
                stated = stated == null && state != null ? told : stated;
                add(open, told.getNextException());
            }
            add(open, next.getCause());
            open.addAll(List.of(next.getSuppressed()));
        }
        return stated == null ? fault : stated;
    }

    private static void add(Deque<Throwable> open, @Nullable Throwable more) {
        if (more != null) {
            open.add(more);
        }
    }
}
