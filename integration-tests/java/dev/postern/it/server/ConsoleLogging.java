package dev.postern.it.server;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;

/**
 * A configuration of the JDK's logging to the console, as {@code java -jar} has it by default, with more of Postern's
 * own lines.
 */
final class ConsoleLogging {

    /** How a line begins, before its level, as a regular expression. */
    static final String TIME = "\\d{4}-\\d\\d-\\d\\dT\\S+ ";

    private ConsoleLogging() {}

    /** Writes the configuration into {@code directory}; returns the option of {@code java} that names it. */
    static String option(Path directory) throws IOException {
        Path file = Files.writeString(
                directory.resolve("logging.properties"),
                """
                handlers = java.util.logging.ConsoleHandler
                java.util.logging.ConsoleHandler.level = ALL
                java.util.logging.SimpleFormatter.format = %1$tFT%1$tT.%1$tL%1$tz %4$s %3$s: %5$s%6$s%n
                dev.postern.level = ALL
                org.apache.level = WARNING
                org.glassfish.level = WARNING
                """);
        return "-Djava.util.logging.config.file=" + file;
    }
}
