package dev.postern.app;

import dev.postern.observe.StartReport;
import java.lang.System.Logger.Level;

/** A start that can't be gone on with, in words for the operator. */
final class StartException extends Exception {

    private static final long serialVersionUID = 1L;
    private static final System.Logger LOG = System.getLogger(StartException.class.getName());

    private final transient StartReport report;

    /** A start that {@code report} tells of; its problems say what to do about each. */
    StartException(StartReport report) {
        super(String.join("; ", report.problems()));
        this.report = report;
    }

    /** For what nobody foresaw, whose text may hold a password: the log has it. */
    static StartException unforeseen(RuntimeException fault) {
        LOG.log(Level.ERROR, "The start failed", fault);
        String kind = fault.getClass().getSimpleName();
        return new StartException(StartReport.of("the start failed (" + kind + "); the log has its stack trace"));
    }

    StartReport report() {
        return report;
    }
}
