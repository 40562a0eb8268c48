package dev.postern.app.launch;

import dev.postern.model.HomeSetting;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Deque;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * A parsed and checked command line of {@code java -jar postern.war}.
 *
 * @param command a command of {@link CommandCatalog#COMMANDS}; {@code completion} with its shell, as in {@code completion bash}
 * @param port the port, up to 65535; 0 takes a free one
 * @param bind the address to listen at
 * @param home the home directory; null if the environment decides
 * @param online whether {@code check} also asks the database, the channels' services and the mail server
 * @param example the request that {@code explain} explains; null for the other commands
 * @param options {@code logFormat} of {@code serve}; the options of {@code mail setup} and {@code mail test}, by the names of settings below {@code hooks.gmail},
 *     and {@code oauth}, {@code answerTo}, {@code smtpHost}, {@code smtpPort} and {@code smtpSecurity}; those of {@code token new},
 *     by the names of settings below {@code senders.<id>}, and {@code id}; those of {@link CommandCatalog#NEEDED_ARGUMENTS}
 *     by their own names without dashes, and {@code file}
 */
record CommandLine(
        String command,
        int port,
        String bind,
        @Nullable String home,
        boolean online,
        @Nullable Example example,
        Map<String, String> options) {

    CommandLine {
        options = Map.copyOf(options);
    }

    private static final int DEFAULT_PORT = 8080;
    private static final int MAX_PORT = 65_535;

    /**
     * A request for {@code explain}.
     *
     * @param hook the path below the hook prefix, or with it, as it was given
     * @param payload the file with the payload
     * @param headers the values by lower-case name
     * @param query the query parameters by name
     * @param sender the id of the sender whose own token the request has; null for any other credential
     */
    record Example(
            String hook,
            Path payload,
            Map<String, String> headers,
            Map<String, String> query,
            @Nullable String sender) {

        Example {
            headers = Map.copyOf(headers);
            query = Map.copyOf(query);
        }
    }

    /** Parses {@code args}; the message of a {@link UsageException} says what is wrong with them. */
    static CommandLine parse(String[] args) throws UsageException {
        Deque<String> rest = new ArrayDeque<>(Arrays.asList(args));
        String command = rest.isEmpty() || CommandArguments.isOption(rest.peek()) ? "serve" : rest.pop();
        if (rest.contains("--help") || rest.contains("-h")) {
            return new CommandLine("help", DEFAULT_PORT, "", null, false, null, Map.of());
        }
        if (rest.contains("--version")) {
            return new CommandLine("version", DEFAULT_PORT, "", null, false, null, Map.of());
        }
        CommandArguments.rejectRepeated(rest);
        if (command.equals(CommandCatalog.MAIL)) {
            command = CommandCatalog.MAIL + " " + (rest.isEmpty() ? "" : rest.pop());
            return mail(command, rest);
        }
        if (command.equals(CommandCatalog.TOKEN)) {
            return token(command + " " + (rest.isEmpty() ? "" : rest.pop()), rest);
        }
        if (command.equals(CommandCatalog.COMPLETION)) {
            return completion(rest);
        }
        if (CommandCatalog.NEEDED_ARGUMENTS.containsKey(command)) {
            return plain(command, rest);
        }
        if (!CommandCatalog.COMMANDS.containsKey(command)) {
            throw new UsageException(
                    "unknown command " + command + CommandArguments.meant(command, CommandCatalog.FIRST_WORDS));
        }
        int port = DEFAULT_PORT;
        String bind = "127.0.0.1";
        @Nullable String home = null;
        boolean online = false;
        List<String> words = new ArrayList<>();
        Map<String, String> headers = new LinkedHashMap<>();
        Map<String, String> query = new LinkedHashMap<>();
        @Nullable String sender = null;
        Map<String, String> options = new LinkedHashMap<>();
        while (!rest.isEmpty()) {
            String word = rest.pop();
            switch (command + " " + word) {
                case "serve --port" -> port = port(CommandArguments.value(word, rest));
                case "serve --bind" -> bind = CommandArguments.address(word, rest);
                case "serve " + CommandCatalog.LOG_FORMAT ->
                    options.put("logFormat", logFormat(CommandArguments.value(word, rest)));
                case "serve --home", "check --home", "explain --home", "compact --home" ->
                    home = CommandArguments.value(word, rest);
                case "check --online" -> online = true;
                case "explain --header" ->
                    CommandArguments.pair(word, rest, name -> name.toLowerCase(Locale.ROOT), headers);
                case "explain --sender" -> sender = CommandArguments.value(word, rest);
                case "explain --query" -> CommandArguments.pair(word, rest, name -> name, query);
                default -> {
                    if (!command.equals(CommandCatalog.EXPLAIN) || CommandArguments.isOption(word)) {
                        throw CommandArguments.unknown(word, command);
                    }
                    words.add(word);
                }
            }
        }
        return switch (command) {
            case "serve", "check", "compact", "version", "help" ->
                new CommandLine(command, port, bind, home, online, null, options);
            case CommandCatalog.EXPLAIN ->
                new CommandLine(command, port, bind, home, online, example(words, headers, query, sender), Map.of());
            default -> throw new IllegalStateException("no such command: " + command);
        };
    }

    /** The script that completes the commands in the one shell that {@code rest} names. */
    private static CommandLine completion(Deque<String> rest) throws UsageException {
        if (rest.size() != 1 || !ShellCompletion.SHELLS.contains(rest.peek())) {
            throw new UsageException(
                    "completion needs the name of a shell: " + String.join(" or ", ShellCompletion.SHELLS));
        }
        return new CommandLine(
                CommandCatalog.COMPLETION + " " + rest.pop(), DEFAULT_PORT, "", null, false, null, Map.of());
    }

    private static CommandLine mail(String command, Deque<String> rest) throws UsageException {
        if (!command.equals(CommandCatalog.SETUP) && !command.equals(CommandCatalog.TEST)) {
            throw new UsageException("mail needs setup or test");
        }
        @Nullable String home = null;
        Map<String, String> mailbox = new LinkedHashMap<>();
        while (!rest.isEmpty()) {
            String word = rest.pop();
            @Nullable String setting = CommandCatalog.MAIL_OPTIONS.get(word);
            if (word.equals("--home")) {
                home = CommandArguments.value(word, rest);
            } else if (word.equals("--oauth") && command.equals(CommandCatalog.SETUP)) {
                mailbox.put("oauth", "true");
            } else if (setting == null || (command.equals(CommandCatalog.TEST) && !setting.equals("account"))) {
                // The argument may be the password, and must not be repeated.
                String option = CommandArguments.isOption(word) ? word.split("=", 2)[0] : "without an option";
                throw new UsageException("unknown argument " + option + " for " + command
                        + CommandArguments.meant(option, CommandCatalog.COMMANDS.getOrDefault(command, List.of())));
            } else {
                mailbox.put(setting, CommandArguments.value(word, rest));
            }
        }
        if (command.equals(CommandCatalog.SETUP) && !mailbox.containsKey("account")) {
            throw new UsageException("mail setup needs --account, the mailbox's address");
        }
        if (!mailbox.containsKey("answerTo")) {
            for (Map.Entry<String, String> option : CommandCatalog.MAIL_OPTIONS.entrySet()) {
                if (option.getKey().startsWith("--smtp-") && mailbox.containsKey(option.getValue())) {
                    throw new UsageException(
                            option.getKey() + " needs " + CommandCatalog.ANSWER_TO + ", which says who gets answers");
                }
            }
        }
        return new CommandLine(command, DEFAULT_PORT, "", home, false, null, mailbox);
    }

    /** A command whose options stand for themselves, by their own names without dashes, and {@code file}. */
    private static CommandLine plain(String command, Deque<String> rest) throws UsageException {
        List<String> known = CommandCatalog.COMMANDS.getOrDefault(command, List.of());
        String needed = CommandCatalog.NEEDED_ARGUMENTS.getOrDefault(command, "");
        boolean takesFile = !needed.isEmpty() && !needed.startsWith("--");
        @Nullable String home = null;
        Map<String, String> options = new LinkedHashMap<>();
        while (!rest.isEmpty()) {
            String word = rest.pop();
            if (takesFile && !CommandArguments.isOption(word) && !options.containsKey("file")) {
                options.put("file", word);
            } else if (!known.contains(word)) {
                throw CommandArguments.unknown(word, command);
            } else if (word.equals("--home")) {
                home = CommandArguments.value(word, rest);
            } else {
                options.put(
                        word.substring(2),
                        CommandCatalog.FLAGS.contains(word) ? "true" : CommandArguments.value(word, rest));
            }
        }
        if (!needed.isEmpty() && !options.containsKey(takesFile ? "file" : "to")) {
            throw new UsageException(command + " needs " + needed);
        }
        return new CommandLine(command, DEFAULT_PORT, "", home, false, null, options);
    }

    private static CommandLine token(String command, Deque<String> rest) throws UsageException {
        if (!command.equals(CommandCatalog.TOKEN_NEW)) {
            throw new UsageException("token needs new");
        }
        @Nullable String home = null;
        Map<String, String> sender = new LinkedHashMap<>();
        while (!rest.isEmpty()) {
            String word = rest.pop();
            @Nullable String setting = CommandCatalog.SENDER_OPTIONS.get(word);
            if (word.equals("--home")) {
                home = CommandArguments.value(word, rest);
            } else if (!CommandArguments.isOption(word) && !sender.containsKey("id")) {
                sender.put("id", word);
            } else if (setting == null) {
                throw CommandArguments.unknown(word, command);
            } else {
                sender.put(setting, CommandArguments.value(word, rest));
            }
        }
        if (!sender.containsKey("id")) {
            throw new UsageException("token new needs the id of a sender");
        }
        return new CommandLine(command, DEFAULT_PORT, "", home, false, null, sender);
    }

    private static Example example(
            List<String> words, Map<String, String> headers, Map<String, String> query, @Nullable String sender)
            throws UsageException {
        if (words.size() != 2) {
            throw new UsageException("explain needs the name of a hook and a file with a payload");
        }
        String hook = words.get(0);
        if (hook.matches("/*")) {
            throw new UsageException("explain needs the name of a hook, not " + hook);
        }
        try {
            return new Example(hook, Path.of(words.get(1)), headers, query, sender);
        } catch (InvalidPathException e) {
            throw new UsageException("the payload's name " + HomeSetting.wrong(e), e);
        }
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

    private static String logFormat(String value) throws UsageException {
        if (!value.equals(CommandCatalog.JSON) && !value.equals("text")) {
            throw new UsageException(CommandCatalog.LOG_FORMAT + " must be text or json, not " + value);
        }
        return value;
    }

    /** An exception for invalid arguments; the message says what is wrong. */
    static final class UsageException extends Exception {

        UsageException(String message) {
            super(message);
        }

        UsageException(String message, Throwable cause) {
            super(message, cause);
        }
    }
}
