package dev.postern.app.launch;

import java.nio.file.Path;
import java.util.ArrayDeque;
import java.util.Arrays;
import java.util.Deque;
import org.jspecify.annotations.Nullable;

/**
 * The arguments of {@code java -jar postern.war}, read and checked.
 *
 * @param command {@code serve}, {@code check}, {@code version} or {@code help}
 * @param port 0 takes a free one
 * @param home null when the environment decides
 */
record CommandLine(String command, int port, String bind, @Nullable Path home) {

    static final String USAGE =
            """
            Usage:
              java -jar postern.war [serve] [--port N] [--bind ADDRESS] [--home DIR]
                  Takes requests. Default 127.0.0.1:8080; port 0 takes a free one.
              java -jar postern.war check [--home DIR]
                  Validates everything that serve would load and lists all problems. Exit code 0 or 1.
              java -jar postern.war version
              java -jar postern.war --help

            The home directory is --home, else the system property postern.home, else the environment variable
            POSTERN_HOME, else ~/.postern. An empty one is set up at the first start of serve.
            """;

    private static final int DEFAULT_PORT = 8080;
    private static final int MAX_PORT = 65_535;

    /** Reads {@code args}; a {@link UsageException} says what is wrong with them. */
    static CommandLine parse(String[] args) throws UsageException {
        Deque<String> rest = new ArrayDeque<>(Arrays.asList(args));
        String command = rest.isEmpty() || isOption(rest.peek()) ? "serve" : rest.pop();
        if (rest.contains("--help") || rest.contains("-h")) {
            return new CommandLine("help", DEFAULT_PORT, "", null);
        }
        int port = DEFAULT_PORT;
        String bind = "127.0.0.1";
        @Nullable Path home = null;
        while (!rest.isEmpty()) {
            String option = rest.pop();
            switch (command + " " + option) {
                case "serve --port" -> port = port(value(option, rest));
                case "serve --bind" -> bind = value(option, rest);
                case "serve --home", "check --home" ->
                    home = Path.of(value(option, rest)).toAbsolutePath();
                default -> throw new UsageException("unknown argument " + option + " for " + command);
            }
        }
        return switch (command) {
            case "serve", "check", "version", "help" -> new CommandLine(command, port, bind, home);
            default -> throw new UsageException("unknown command " + command);
        };
    }

    private static boolean isOption(String word) {
        return word.startsWith("-");
    }

    private static String value(String option, Deque<String> rest) throws UsageException {
        if (rest.isEmpty() || rest.peek().isBlank()) {
            throw new UsageException(option + " needs a value");
        }
        return rest.pop();
    }

    private static int port(String value) throws UsageException {
        try {
            int port = Integer.parseInt(value);
            if (port >= 0 && port <= MAX_PORT) {
                return port;
            }
        } catch (NumberFormatException e) {
            throw new UsageException("--port must be a number from 0 to 65535, not " + value, e);
        }
        throw new UsageException("--port must be a number from 0 to 65535, not " + value);
    }

    /** The arguments make no sense; the message says why. */
    static final class UsageException extends Exception {

        UsageException(String message) {
            super(message);
        }

        UsageException(String message, Throwable cause) {
            super(message, cause);
        }
    }
}
