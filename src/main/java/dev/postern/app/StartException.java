package dev.postern.app;

import dev.postern.observe.StartFailureReport;
import java.lang.System.Logger.Level;

/** An exception that ends the start, with a report in words for the operator. */
final class StartException extends Exception {

    private static final long serialVersionUID = 1L;
    private static final System.Logger LOG = System.getLogger(StartException.class.getName());

    private final transient StartFailureReport report;

    /** Makes an exception with {@code report}, whose problems say what to do about each. */
    StartException(StartFailureReport report) {
        super(String.join("; ", report.problems()));
        this.report = report;
    }

    /** Makes an exception for an unexpected error. Its message may contain a password, and goes to the log only. */
    static StartException unforeseen(Throwable fault) {
        LOG.log(Level.ERROR, "The start failed", fault);
        String kind = fault.getClass().getSimpleName();
        return new StartException(
                StartFailureReport.of("the start failed (" + kind + "); the log has its stack trace"));
    }

    StartFailureReport report() {
        return report;
    }
}
