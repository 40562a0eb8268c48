package dev.postern.it;

import java.util.logging.Filter;
import java.util.logging.LogRecord;

/**
 * Keeps the console of the tests short enough that a failure is found in it: leaves out when each turn begins and ends,
 * and that embedded Tomcat, which Arquillian's adapter gives a JSP servlet, has no JSP. Named in logging.properties.
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
