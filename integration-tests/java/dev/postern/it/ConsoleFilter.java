package dev.postern.it;

import java.util.logging.Filter;
import java.util.logging.LogRecord;

/**
 * A log filter that keeps the tests' console output short, so that a failure is easy to find. It leaves out the
 * beginning and the end of each turn. It also leaves out that embedded Tomcat has no JSP, although Arquillian's adapter
 * gives it a JSP servlet. Named in logging.properties.
 */
public final class ConsoleFilter implements Filter {

    private static final String PROGRESS = "dev.postern.dispatch.TurnProgressLog";

    /** Made by java.util.logging. */
    public ConsoleFilter() {}

    @Override
    public boolean isLoggable(LogRecord line) {
        return !isAboutJsp(line) && !PROGRESS.equals(line.getLoggerName());
    }

    static boolean isAboutJsp(LogRecord line) {
        return line.getThrown() instanceof ClassNotFoundException missing
                && String.valueOf(missing.getMessage()).startsWith("org.apache.jasper.");
    }
}
