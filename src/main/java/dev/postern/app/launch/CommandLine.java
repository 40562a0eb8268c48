package dev.postern.app.launch;

import dev.postern.model.HomeSetting;
import dev.postern.model.NearestName;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collection;
import java.util.Deque;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;

/**
 * A parsed and checked command line of {@code java -jar postern.war}.
 *
 * @param command {@code serve}, {@code check}, {@code explain}, {@code backtest}, {@code import}, {@code mail setup}, {@code mail test},
 *     {@code token new}, {@code compact}, {@code completion bash}, {@code completion zsh}, {@code version} or {@code help}
 * @param port the port, up to 65535; 0 takes a free one
 * @param bind the address to listen at
 * @param home the home directory; null if the environment decides
 * @param online whether {@code check} also asks the database, the channels' services and the mail server
 * @param example the request that {@code explain} explains; null for the other commands
 * @param options {@code logFormat} of {@code serve}; the options of {@code mail setup} and {@code mail test}, by the names of settings below {@code hooks.gmail},
 *     and {@code oauth}, {@code answerTo}, {@code smtpHost}, {@code smtpPort} and {@code smtpSecurity}; those of {@code token new},
 *     by the names of settings below {@code senders.<id>}, and {@code id}; {@code file} of {@code import}; those of {@code backtest} by their own names, without dashes
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
     * @param hook the path below the hook prefix, without outer slashes
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
        String command = rest.isEmpty() || isOption(rest.peek()) ? "serve" : rest.pop();
        if (rest.contains("--help") || rest.contains("-h")) {
            return new CommandLine("help", DEFAULT_PORT, "", null, false, null, Map.of());
        }
        if (rest.contains("--version")) {
            return new CommandLine("version", DEFAULT_PORT, "", null, false, null, Map.of());
        }
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
        if (command.equals(CommandCatalog.BACKTEST)) {
            return backtest(rest);
        }
        if (!CommandCatalog.COMMANDS.containsKey(command)) {
            throw new UsageException("unknown command " + command + meant(command, CommandCatalog.FIRST_WORDS));
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
                case "serve --port" -> port = port(value(word, rest));
                case "serve --bind" -> bind = value(word, rest);
                case "serve " + CommandCatalog.LOG_FORMAT -> options.put("logFormat", logFormat(value(word, rest)));
                case "serve --home", "check --home", "explain --home", "import --home", "compact --home" ->
                    home = value(word, rest);
                case "check --online" -> online = true;
                case "explain --header" -> pair(word, rest, name -> name.toLowerCase(Locale.ROOT), headers);
                case "explain --sender" -> sender = value(word, rest);
                case "explain --query" -> pair(word, rest, name -> name, query);
                default -> {
                    if (!CommandCatalog.WITH_WORDS.contains(command) || isOption(word)) {
                        throw unknown(word, command);
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
            case CommandCatalog.IMPORT ->
                new CommandLine(command, port, bind, home, online, null, Map.of("file", single(words)));
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

    /** A question for the word of {@code known} that {@code word} is a misspelling of; empty where there is none. */
    private static String meant(String word, Collection<String> known) {
        return NearestName.of(word, known)
                .map(near -> "; did you mean " + near + "?")
                .orElse("");
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
                home = value(word, rest);
            } else if (word.equals("--oauth") && command.equals(CommandCatalog.SETUP)) {
                mailbox.put("oauth", "true");
            } else if (setting == null || (command.equals(CommandCatalog.TEST) && !setting.equals("account"))) {
                // The argument may be the password, and must not be repeated.
                String option = isOption(word) ? word.split("=", 2)[0] : "without an option";
                throw new UsageException("unknown argument " + option + " for " + command
                        + meant(option, CommandCatalog.COMMANDS.getOrDefault(command, List.of())));
            } else if (mailbox.put(setting, value(word, rest)) != null) {
                throw new UsageException(word + " is given twice");
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

    private static CommandLine backtest(Deque<String> rest) throws UsageException {
        @Nullable String home = null;
        Map<String, String> options = new LinkedHashMap<>();
        while (!rest.isEmpty()) {
            String word = rest.pop();
            switch (word) {
                case "--home" -> home = value(word, rest);
                case "--json" -> options.put("json", "true");
                case "--since", "--mapping", "--config" -> {
                    if (options.put(word.substring(2), value(word, rest)) != null) {
                        throw new UsageException(word + " is given twice");
                    }
                }
                default -> throw unknown(word, CommandCatalog.BACKTEST);
            }
        }
        return new CommandLine(CommandCatalog.BACKTEST, DEFAULT_PORT, "", home, false, null, options);
    }

    private static UsageException unknown(String word, String command) {
        return new UsageException("unknown argument " + word + " for " + command
                + meant(word, CommandCatalog.COMMANDS.getOrDefault(command, List.of())));
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
                home = value(word, rest);
            } else if (!isOption(word) && !sender.containsKey("id")) {
                sender.put("id", word);
            } else if (setting == null) {
                throw unknown(word, command);
            } else if (sender.put(setting, value(word, rest)) != null) {
                throw new UsageException(word + " is given twice");
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
        String hook = words.get(0).replaceAll("^/+|/+$", "");
        if (hook.isEmpty()) {
            throw new UsageException("explain needs the name of a hook, not " + words.get(0));
        }
        try {
            return new Example(hook, Path.of(words.get(1)), headers, query, sender);
        } catch (InvalidPathException e) {
            throw new UsageException("the payload's name " + HomeSetting.wrong(e), e);
        }
    }

    private static String single(List<String> words) throws UsageException {
        if (words.size() != 1 || words.get(0).isBlank()) {
            throw new UsageException("import needs one file, OpenClaw's openclaw.json");
        }
        return words.get(0);
    }

    /** Adds the {@code name=value} that follows {@code option} to {@code values}. */
    private static void pair(
            String option, Deque<String> rest, UnaryOperator<String> spelling, Map<String, String> values)
            throws UsageException {
        String pair = value(option, rest);
        int equals = pair.indexOf('=');
        String name = spelling.apply(pair.substring(0, Math.max(equals, 0)).strip());
        if (name.isEmpty()) {
            throw new UsageException(option + " needs name=value, not " + pair);
        }
        if (values.putIfAbsent(name, pair.substring(equals + 1).strip()) != null) {
            throw new UsageException(option + " gives " + name + " twice");
        }
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
