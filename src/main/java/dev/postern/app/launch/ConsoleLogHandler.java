package dev.postern.app.launch;

import java.util.List;
import java.util.logging.ConsoleHandler;
import java.util.logging.Handler;
import java.util.logging.Level;
import java.util.logging.LogManager;
import java.util.logging.Logger;
import java.util.logging.SimpleFormatter;

/** One line a record on standard error, up to the very end of the process. */
public final class ConsoleLogHandler {

    private static final String MANAGER = "java.util.logging.manager";
    private static final String FORMAT = "java.util.logging.SimpleFormatter.format";

    private ConsoleLogHandler() {}

    /**
     * Must come before anything logs. Logging that the operator has set up by system property is left as it is, and lasts up to
     * the end too.
     */
    static void install() {
        if (System.getProperty(MANAGER) == null) {
            System.setProperty(MANAGER, Lasting.class.getName());
        }
        if (System.getProperty("java.util.logging.config.file") != null) {
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
        Chatty.LOGGERS.forEach(logger -> logger.setLevel(Level.WARNING));
    }

    /** A class of its own, since it decides which manager there is before the first class of logging is touched. */
    public static final class Lasting extends LogManager {

        /** Made by the JVM, once, when the first logger is asked for. */
        public Lasting() {}

        /** The JVM resets logging while shutdown hooks run; what is said during the drain must still be seen. */
        @Override
        public void reset() {
            // Handlers write each record at once, to standard error or to a file that ends with the process.
        }
    }

    /** Libraries that tell more than an operator wants to know. Held, since a logger that nobody holds forgets its level. */
    private static final class Chatty {

        static final List<Logger> LOGGERS = List.of(Logger.getLogger("org.apache"), Logger.getLogger("org.glassfish"));
    }
}
