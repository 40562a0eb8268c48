package dev.postern.app.launch;

import java.util.List;
import java.util.logging.ConsoleHandler;
import java.util.logging.Handler;
import java.util.logging.Level;
import java.util.logging.LogManager;
import java.util.logging.Logger;
import java.util.logging.SimpleFormatter;

/** The log configuration of {@code java -jar}: one line for each record, on standard error, until the process has ended. */
public final class ConsoleLogHandler {

    private static final String MANAGER = "java.util.logging.manager";
    private static final String CONFIGURATION = "java.util.logging.config.file";
    /** The property from which Tomcat's logging takes the formatter of the handlers that it finds. */
    private static final String TOMCAT_FORMATTER = "org.apache.juli.formatter";

    private static final String FORMAT = "java.util.logging.SimpleFormatter.format";

    private ConsoleLogHandler() {}

    /**
     * Configures logging; has to be called before the first record. A configuration that the operator has set by system
     * property stays, and also lasts until the process has ended.
     */
    static void install() {
        if (System.getProperty(MANAGER) == null) {
            System.setProperty(MANAGER, ResetIgnoringLogManager.class.getName());
        }
        if (System.getProperty(CONFIGURATION) != null) {
            return;
        }
        if (System.getProperty(FORMAT) == null) {
            System.setProperty(FORMAT, "%1$tFT%1$tT.%1$tL%1$tz %4$s %3$s: %5$s%6$s%n");
        }
        Logger root = Logger.getLogger("");
        for (Handler handler : root.getHandlers()) {
            root.removeHandler(handler);
        }
        ConsoleHandler console = new ConsoleHandler();
        console.setFormatter(new SimpleFormatter());
        console.setLevel(Level.ALL);
        root.addHandler(console);
        root.setLevel(Level.INFO);
        NoisyLoggers.LOGGERS.forEach(logger -> logger.setLevel(Level.WARNING));
    }

    /**
     * Formats all further records as JSON.
     *
     * @return false if the operator's own configuration decides on the format
     */
    static boolean useJson() {
        if (System.getProperty(CONFIGURATION) != null) {
            return false;
        }
        System.setProperty(TOMCAT_FORMATTER, JsonLogFormatter.class.getName());
        for (Handler handler : Logger.getLogger("").getHandlers()) {
            handler.setFormatter(new JsonLogFormatter());
        }
        return true;
    }

    /** A log manager that ignores resets. It is a class of its own, since it is named before the first use of logging. */
    public static final class ResetIgnoringLogManager extends LogManager {

        /** Called once by the JVM, for the first logger. */
        public ResetIgnoringLogManager() {}

        /** Does nothing. The JVM resets logging while shutdown hooks run, and records of that time must still appear. */
        @Override
        public void reset() {
            // Handlers write each record at once, to standard error or to a file that ends with the process.
        }
    }

    /** The loggers of libraries that log too much for operators. The list keeps them: a collected logger loses its level. */
    private static final class NoisyLoggers {

        static final List<Logger> LOGGERS = List.of(Logger.getLogger("org.apache"), Logger.getLogger("org.glassfish"));
    }
}
