package dev.postern.app;

import java.lang.System.Logger.Level;
import java.util.List;

/** A start that can't be gone on with, in words for the operator. */
final class StartFailure extends Exception {

    private static final long serialVersionUID = 1L;
    private static final System.Logger LOG = System.getLogger(StartFailure.class.getName());

    private final List<String> problems;

    /**
     * @param problems one or more, each with what to do about it
     */
    StartFailure(List<String> problems) {
        super(String.join("; ", problems));
        this.problems = List.copyOf(problems);
    }

    /** For what nobody foresaw, whose text may hold a password: the log has it. */
    static StartFailure unforeseen(RuntimeException fault) {
        LOG.log(Level.ERROR, "The start failed", fault);
        String kind = fault.getClass().getSimpleName();
        return new StartFailure(List.of("the start failed (" + kind + "); the log has its stack trace"));
    }

    List<String> problems() {
        return problems;
    }
}
