package dev.postern.it.standalone;

import static org.awaitility.Awaitility.await;

import java.io.Closeable;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;

/**
 * A PostgreSQL of Debian's package {@code postgresql}, which asks for passwords and leaves the machine's own cluster
 * alone. PostgreSQL refuses to run as root, so that it then runs as the package's user.
 */
final class DebianPostgres implements PostgresServer.PostgresDistribution {

    static final String NOT_INSTALLED = "Debian's PostgreSQL is not tried: its package postgresql is not installed.";

    private static final Path VERSIONS = Path.of("/usr/lib/postgresql");
    private static final String USER = "postgres";
    private static final boolean ROOT = "root".equals(System.getProperty("user.name"));
    private static final Duration LONGEST = Duration.ofSeconds(90);

    /** Whether there is anything to run; otherwise the build's output says what is not tried. */
    static boolean isInstalled() throws IOException {
        boolean isInstalled = programs().isPresent();
        if (!isInstalled) {
            System.err.println(NOT_INSTALLED);
        }
        return isInstalled;
    }

    @Override
    public Path directory() throws IOException {
        // Not below the build's, where its user may not get.
        return own(Files.createTempDirectory(Path.of("/tmp"), "postern-postgres-"));
    }

    @Override
    public Closeable start(Path data, int port, Map<String, String> configuration) throws IOException {
        Path directory = data.getParent();
        if (!Files.exists(data)) {
            Path password = own(Files.writeString(directory.resolve("password"), USER));
            run(command(
                    directory,
                    "initdb",
                    "--pgdata=" + data,
                    "--username=" + USER,
                    "--pwfile=" + password,
                    "--auth=scram-sha-256",
                    "--encoding=UTF8",
                    "--no-locale"));
        }
        List<String> options = new ArrayList<>(List.of("-D", data.toString(), "-h", "127.0.0.1", "-k", ""));
        options.addAll(List.of("-p", String.valueOf(port)));
        configuration.forEach((name, value) -> options.addAll(List.of("-c", name + "=" + value)));
        Path log = directory.resolve("log");
        Process server = command(directory, "postgres", options.toArray(String[]::new))
                .redirectOutput(ProcessBuilder.Redirect.appendTo(log.toFile()))
                .start();
        Runtime.getRuntime().addShutdownHook(new Thread(server::destroyForcibly));
        ProcessBuilder look = command(directory, "pg_isready", "-q", "-h", "127.0.0.1", "-p", String.valueOf(port));
        await("PostgreSQL's start")
                .atMost(LONGEST)
                .failFast("PostgreSQL has ended: " + log, () -> !server.isAlive())
                .until(() -> look.start().onExit().join().exitValue() == 0);
        return () -> stop(server);
    }

    /** Copies the files of the server at {@code port}, which runs, to {@code data} for a standby of it. */
    void copy(int port, Path data) throws IOException {
        run(command(
                data.getParent(),
                "pg_basebackup",
                "--pgdata=" + data,
                "--dbname=host=127.0.0.1 port=" + port + " user=" + USER + " password=" + USER,
                "--checkpoint=fast",
                "--write-recovery-conf"));
    }

    private static void stop(Process server) throws IOException {
        try {
            if (server.isAlive()) {
                PostgresServer.send("INT", Stream.of(server.toHandle()));
            }
            await("PostgreSQL's end").atMost(LONGEST).until(() -> !server.isAlive());
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IOException("interrupted while PostgreSQL was to end", e);
        }
    }

    /** Gives {@code file} to the user that the programs run as. */
    private static Path own(Path file) throws IOException {
        return ROOT
                ? Files.setOwner(
                        file,
                        file.getFileSystem().getUserPrincipalLookupService().lookupPrincipalByName(USER))
                : file;
    }

    /** A command that runs one of the package's programs. */
    private static ProcessBuilder command(Path directory, String program, String... options) throws IOException {
        List<String> command = new ArrayList<>();
        if (ROOT) {
            command.addAll(List.of("setpriv", "--reuid=" + USER, "--regid=" + USER, "--clear-groups"));
        }
        command.add(programs().orElseThrow().resolve(program).toString());
        command.addAll(List.of(options));
        return new ProcessBuilder(command).directory(directory.toFile()).redirectErrorStream(true);
    }

    private static void run(ProcessBuilder command) throws IOException {
        Process process = command.start();
        String said = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        if (process.onExit().join().exitValue() != 0) {
            throw new IOException(command.command() + ": " + said);
        }
    }

    /** Where the newest version's programs are; the client's package has some of them too. */
    private static Optional<Path> programs() throws IOException {
        if (!Files.isDirectory(VERSIONS)) {
            return Optional.empty();
        }
        try (Stream<Path> versions = Files.list(VERSIONS)) {
            return versions.map(version -> version.resolve("bin"))
                    .filter(programs -> Files.isExecutable(programs.resolve("postgres")))
                    .max(Comparator.naturalOrder());
        }
    }
}
