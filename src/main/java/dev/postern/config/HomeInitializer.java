package dev.postern.config;

import dev.postern.net.OwnerOnlyFiles;
import java.io.IOException;
import java.nio.file.AccessDeniedException;
import java.nio.file.FileSystemException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.SecureRandom;
import java.util.Base64;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/**
 * An initializer that sets up an empty home. It writes the token first and the configuration file last, each whole or
 * not at all. A home whose set-up was interrupted therefore still counts as fresh, and the next start completes it.
 */
public final class HomeInitializer {

    private static final int TOKEN_BYTES = 32;
    private static final String SET_UP = "set up";

    /** The configuration file of a fresh home. Nobody has written anything into a file with this content. */
    static final String CONTENT =
            """
            # Postern's configuration. Every setting there is, with its default and what it does, is in the sample
            # webapp-config/postern.yaml. After a change: java -jar postern.war check, then a restart.

            hooks:
              # Turns the webhook interface on.
              enabled: true

              # The secret that every request carries. This one was made at the first start.
              token: ${file:secrets/hook-token}

              # Where the hooks are: POST /hooks/wake and POST /hooks/agent.
              path: /hooks

            # Agents answer through providers. Without one everything runs on offline/echo, which calls no model:
            #
            # agents:
            #   defaults:
            #     model: anthropic/<model>
            # providers:
            #   anthropic:
            #     apiKey: ${file:secrets/anthropic-key}
            """;

    /**
     * The names that a fresh home may hold. They come from an unfinished set-up, from the launcher, or from a file
     * system that has just made the volume. A mailbox that is not watched yet is allowed too, and so are senders.
     */
    private static final Set<String> LEFTOVERS =
            Set.of("data", "secrets", "hooks", "agents", "work", "lost+found", MailFile.NAME, SendersFile.NAME);

    /** The files in {@code data/} by which commands lock a home, also one without a database, or its senders. */
    private static final Set<String> LOCKS = Set.of("postern.lock", SendersLock.NAME);

    /** The file in {@code data/} with the record of the home's last database, see {@code dev.postern.store.LastDatabase}. */
    private static final String LAST_DATABASE = "postern.database";

    private static final String SQLITE = "SQLite in ";

    private static final Pattern UNFINISHED = Pattern.compile("(postern|mail|senders)\\.yaml\\..*new");

    private final HomeDirectory home;
    private final ConfigurationProblems problems;

    HomeInitializer(HomeDirectory home, ConfigurationProblems problems) {
        this.home = home;
        this.problems = problems;
    }

    /**
     * Whether the home is missing, or holds nothing that was written in use: {@code data/} must hold no data, nor the record
     * of a database elsewhere. A mailbox to be watched may be configured, but nothing else.
     */
    boolean isFresh() {
        Path directory = home.directory();
        if (!Files.exists(directory)) {
            return true;
        }
        if (ConfigurationFile.NAMES.stream().map(directory::resolve).anyMatch(ConfigurationFile::exists)) {
            return false;
        }
        try (Stream<Path> entries = Files.list(directory)) {
            return entries.map(entry -> entry.getFileName().toString())
                            .allMatch(name -> LEFTOVERS.contains(name)
                                    || UNFINISHED.matcher(name).matches())
                    && isEmpty(directory.resolve("data"));
        } catch (IOException unreadable) {
            problems.add("home", home.source(), "is [" + directory + "], which " + why(unreadable, SET_UP), how());
            return false;
        }
    }

    private static boolean isEmpty(Path directory) throws IOException {
        if (!Files.isDirectory(directory)) {
            return !Files.exists(directory);
        }
        try (Stream<Path> entries = Files.list(directory)) {
            List<Path> files = entries.toList();
            for (Path file : files) {
                String name = file.getFileName().toString();
                if (!LOCKS.contains(name) && !(name.equals(LAST_DATABASE) && isRecordOfNothing(file))) {
                    return false;
                }
            }
            return true;
        }
    }

    /** Whether the last database in {@code record} is none any more; one in the home would be seen beside it. */
    private static boolean isRecordOfNothing(Path record) throws IOException {
        String text = Files.readString(record);
        String location = text.lines().findFirst().orElse("");
        boolean complete = text.contains("\n");
        return !complete
                || (location.startsWith(SQLITE)
                        && Files.notExists(record.resolveSibling("..").resolve(location.substring(SQLITE.length()))));
    }

    /**
     * Sets {@code home} up if it is empty.
     *
     * @throws IOException if it can't be written
     */
    static void setUpIfFresh(HomeDirectory home) throws IOException {
        ConfigurationProblems problems = new ConfigurationProblems();
        HomeInitializer fresh = new HomeInitializer(home, problems);
        if (fresh.isFresh() && fresh.setUp().isEmpty()) {
            throw new IOException(problems.rejected().problems().get(0).wrong());
        }
    }

    /** Sets the home up; empty if it can't be written, which is reported as a problem. */
    Optional<ConfigurationResult.SetUp> setUp() {
        Path directory = home.directory();
        OwnerOnlyFiles ownerOnly = OwnerOnlyFiles.on(directory);
        Path tokenFile = tokenFile();
        Path file = directory.resolve(ConfigurationFile.NAMES.get(0));
        try {
            createDirectories(directory);
            if (!Files.exists(tokenFile)) {
                ownerOnly.writeFile(tokenFile, newToken() + "\n");
            }
            ownerOnly.writeFile(file, CONTENT);
            return Optional.of(new ConfigurationResult.SetUp(file, tokenFile));
        } catch (IOException failed) {
            problems.add("home", home.source(), "is [" + directory + "], which " + why(failed, SET_UP), how());
            return Optional.empty();
        }
    }

    /** Creates the directories of a home that it does not have yet. */
    static void createDirectories(Path home) throws IOException {
        OwnerOnlyFiles ownerOnly = OwnerOnlyFiles.on(home);
        ownerOnly.createDirectory(home);
        ownerOnly.createDirectory(home.resolve("data"));
        ownerOnly.createDirectory(home.resolve("secrets"));
        OwnerOnlyFiles.createGroupDirectories(home.resolve("hooks").resolve("transforms"));
        OwnerOnlyFiles.createGroupDirectories(home.resolve("agents").resolve("main"));
    }

    /** The tree of the configuration file that {@link #setUp} would write. */
    Optional<ConfigurationNode> tree() {
        return ConfigurationFile.tree(home.directory().resolve(ConfigurationFile.NAMES.get(0)), CONTENT, problems);
    }

    /** The contents of the secret files that {@link #setUp} would write, by path. */
    Map<Path, String> secrets() {
        return Files.exists(tokenFile()) ? Map.of() : Map.of(tokenFile(), newToken());
    }

    private Path tokenFile() {
        return home.directory().resolve("secrets").resolve("hook-token");
    }

    static String newToken() {
        byte[] bytes = new byte[TOKEN_BYTES];
        new SecureRandom().nextBytes(bytes);
        return Base64.getUrlEncoder().withoutPadding().encodeToString(bytes);
    }

    /**
     * The error in words that follow {@code which}.
     *
     * @param done a participle: what should have been done
     */
    static String why(IOException failed, String done) {
        if (failed instanceof AccessDeniedException) {
            return "this process may not write or read";
        }
        String reason = failed instanceof FileSystemException named ? named.getReason() : failed.getMessage();
        return "could not be " + done + " ("
                + (reason == null ? failed.getClass().getSimpleName() : reason) + ")";
    }

    private static String how() {
        return "let the user that runs Postern own it, or name another home with POSTERN_HOME";
    }
}
