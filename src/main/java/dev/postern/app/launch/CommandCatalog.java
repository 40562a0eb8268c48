package dev.postern.app.launch;

import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;

/** The commands with their options, and the text that says how they are used. */
final class CommandCatalog {

    static final String USAGE =
            """
            Usage:
              java -jar postern.war [serve] [--port N] [--bind ADDRESS] [--log-format text|json] [--home DIR]
                  Takes requests. Default 127.0.0.1:8080; port 0 takes a free one. The log is text unless told otherwise.
              java -jar postern.war check [--online] [--home DIR]
                  Validates everything that serve would load and lists all problems. Exit code 0 or 1.
                  With --online it also asks the database, each channel's service and the mail server whether the
                  credentials work; nothing is sent or changed.
              java -jar postern.war explain <name> <payload.json> [--header K=V]... [--query K=V]... [--sender ID]
                  [--home DIR]
                  Says what POST /hooks/<name> would make of that payload, and does nothing of it. With --sender it says so
                  of a request with that sender's own token. Exit code 0: the status would be below 400, else 1.
              java -jar postern.war backtest [--since 24h|7d|TIME] [--mapping ID] [--config FILE] [--json] [--home DIR]
                  Puts the requests whose payloads are kept through the home's configuration and through FILE in place of
                  its postern.yaml, and shows what differs. Without FILE, compares with what the requests became. Does
                  nothing else. Shows payloads. Exit code 0: nothing would change, 1: something would, 2: can't be told.
              java -jar postern.war import <openclaw.json> [--home DIR]
                  Turns OpenClaw's hooks, agents, channels and models into postern.yaml, with secrets and transforms in files of
                  their own. Lists what differs or is not taken, with its line. Replaces no file that someone has written.
              java -jar postern.war mail setup --account ADDRESS [--host H] [--port N] [--security tls|starttls|none]
                  [--ca-file PEM] [--username U] [--label L] [--since DATE] [--afterwards leave|read|flag|"move to F"]
                  [--include-body true|false] [--max-bytes N] [--model M] [--thinking T] [--oauth] [--home DIR]
                  [--answer-to ADDRESS|@DOMAIN,... [--smtp-host H] [--smtp-port N] [--smtp-security tls|starttls|none]]
                  Has each new mail of that mailbox handled: asks for its password, tries it, writes mail.yaml in the
                  home. Delete that file to switch the watch off. With --answer-to, mails the agent's reply to senders
                  who are named there, alone or by their domain. Without it nobody gets an answer.
              java -jar postern.war mail test [--account ADDRESS] [--home DIR]
                  Shows the last three mails and what would become of them. Changes nothing, in Postern or in the mailbox.
              java -jar postern.war token new <id> --hooks NAMES [--agents IDS] [--session-key-prefixes TEXTS]
                  [--models IDS] [--channels IDS] [--rate N/TIME] [--expires DATE] [--max-pending N] [--home DIR]
                  Makes a token that opens these hooks alone, prints it once, and keeps its hash in senders.yaml in the home.
                  Commas separate names; github/* is all below github/. For a sender that is there, the token is its second.
              java -jar postern.war compact [--home DIR]
                  Gives the space that deleted rows have left in the home's SQLite file back to the disk. No Postern may be
                  running on the home.
              java -jar postern.war backup --to FILE [--without-secrets] [--home DIR]
                  Writes the home's SQLite database, configuration and secrets to the new FILE, also while Postern runs.
              java -jar postern.war restore FILE [--replace] [--home DIR]
                  Checks the backup FILE and restores an empty home from it. With --replace, moves the content that the home
                  has into a directory in it first. No Postern may be running on the home.
              java -jar postern.war verify FILE
                  Says whether a backup, or a SQLite database, is whole and this version can start on it, and what it holds.
              java -jar postern.war copy-database --to JDBC-URL [--username U] [--home DIR]
                  Copies the home's database to an empty one, from SQLite to PostgreSQL or back, and compares each row. With
                  --username, asks for the password. No Postern may be running on the database.
              java -jar postern.war completion bash|zsh
                  Prints a script that completes these commands and options for the command postern.
              java -jar postern.war version
              java -jar postern.war --help

            The home directory is --home, else the system property postern.home, else the environment variable
            POSTERN_HOME, else ~/.postern, where ~ is $HOME or, where that is not set, the home of the user's account.
            An empty one is set up at the first start of serve.
            """;

    static final String EXPLAIN = "explain";
    static final String BACKTEST = "backtest";
    static final String IMPORT = "import";
    static final String MAIL = "mail";
    static final String SETUP = "mail setup";
    static final String TEST = "mail test";
    static final String COMPLETION = "completion";
    static final String TOKEN = "token";
    static final String TOKEN_NEW = "token new";

    static final String BACKUP = "backup";
    static final String RESTORE = "restore";
    static final String VERIFY = "verify";
    static final String COPY_DATABASE = "copy-database";

    /** The commands whose options stand for themselves, with the argument that each needs. */
    static final Map<String, String> NEEDED_ARGUMENTS = Map.of(
            BACKTEST, "",
            IMPORT, "one file, OpenClaw's openclaw.json",
            BACKUP, "--to, the new file",
            RESTORE, "a backup",
            VERIFY, "a backup",
            COPY_DATABASE, "--to, a JDBC URL such as jdbc:postgresql://host/database");

    /** The options of those commands that have no value. */
    static final Set<String> FLAGS = Set.of("--json", "--without-secrets", "--replace");

    static final String ANSWER_TO = "--answer-to";
    static final String LOG_FORMAT = "--log-format";

    /** The value of {@link #LOG_FORMAT} for JSON. */
    static final String JSON = "json";

    /** The settings that options of {@link #SETUP} set, by option. */
    static final Map<String, String> MAIL_OPTIONS = Map.ofEntries(
            Map.entry("--account", "account"),
            Map.entry("--host", "host"),
            Map.entry("--port", "port"),
            Map.entry("--security", "security"),
            Map.entry("--ca-file", "caFile"),
            Map.entry("--username", "username"),
            Map.entry("--label", "label"),
            Map.entry("--since", "since"),
            Map.entry("--afterwards", "afterwards"),
            Map.entry("--include-body", "includeBody"),
            Map.entry("--max-bytes", "maxBytes"),
            Map.entry("--model", "model"),
            Map.entry("--thinking", "thinking"),
            Map.entry(ANSWER_TO, "answerTo"),
            Map.entry("--smtp-host", "smtpHost"),
            Map.entry("--smtp-port", "smtpPort"),
            Map.entry("--smtp-security", "smtpSecurity"));

    /** The settings that options of {@link #TOKEN_NEW} set, by option. */
    static final Map<String, String> SENDER_OPTIONS = Map.ofEntries(
            Map.entry("--hooks", "hooks"),
            Map.entry("--agents", "agents"),
            Map.entry("--session-key-prefixes", "sessionKeyPrefixes"),
            Map.entry("--models", "models"),
            Map.entry("--channels", "channels"),
            Map.entry("--rate", "rate"),
            Map.entry("--expires", "expires"),
            Map.entry("--max-pending", "maxPending"));

    /**
     * The options that may be repeated. Each {@code --header} and {@code --query} adds a value. The last {@code --bind} counts:
     * the container image begins its command line with one, before the operator's arguments.
     */
    private static final Set<String> REPEATABLE_OPTIONS = Set.of("--header", "--query", "--bind");

    /** Each command with its options, as they are completed and suggested. */
    static final Map<String, List<String>> COMMANDS = commands();

    /** The first words of the commands, in their order. */
    static final Set<String> FIRST_WORDS = COMMANDS.keySet().stream()
            .map(command -> command.split(" ", 2)[0])
            .collect(Collectors.toCollection(LinkedHashSet::new));

    /** The options that may be given once. */
    static final Set<String> SINGLE_OPTIONS = COMMANDS.values().stream()
            .flatMap(List::stream)
            .filter(option -> !REPEATABLE_OPTIONS.contains(option))
            .collect(Collectors.toUnmodifiableSet());

    private static Map<String, List<String>> commands() {
        List<String> mailbox = new ArrayList<>(MAIL_OPTIONS.keySet());
        mailbox.addAll(List.of("--oauth", "--home"));
        Collections.sort(mailbox);
        List<String> sender = new ArrayList<>(SENDER_OPTIONS.keySet());
        sender.add("--home");
        Collections.sort(sender);
        Map<String, List<String>> commands = new LinkedHashMap<>();
        commands.put("serve", List.of("--port", "--bind", LOG_FORMAT, "--home"));
        commands.put("check", List.of("--online", "--home"));
        commands.put(EXPLAIN, List.of("--header", "--query", "--sender", "--home"));
        commands.put(BACKTEST, List.of("--since", "--mapping", "--config", "--json", "--home"));
        commands.put(IMPORT, List.of("--home"));
        commands.put(SETUP, List.copyOf(mailbox));
        commands.put(TEST, List.of("--account", "--home"));
        commands.put(TOKEN_NEW, List.copyOf(sender));
        commands.put("compact", List.of("--home"));
        commands.put(BACKUP, List.of("--to", "--without-secrets", "--home"));
        commands.put(RESTORE, List.of("--replace", "--home"));
        commands.put(VERIFY, List.of());
        commands.put(COPY_DATABASE, List.of("--to", "--username", "--home"));
        commands.put(COMPLETION, List.of());
        commands.put("version", List.of());
        commands.put("help", List.of());
        return commands;
    }

    private CommandCatalog() {}
}
