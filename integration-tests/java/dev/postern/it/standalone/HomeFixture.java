package dev.postern.it.standalone;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermission;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayList;
import java.util.Base64;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** A home directory with its files and the processes that are started on it. */
final class HomeFixture {

    /** The hook token of every home whose settings say {@link #hooks}. */
    static final String TOKEN = "it-0123456789abcdefghijklmnopqrstuvwxyz";

    private static final Set<PosixFilePermission> DIRECTORY = PosixFilePermissions.fromString("rwx------");
    private static final Set<PosixFilePermission> FILE = PosixFilePermissions.fromString("rw-------");
    private static final Path PROC = Path.of("/proc");

    private final Path top;
    private final Path directory;
    private final Map<String, String> environment = new ConcurrentHashMap<>();
    private final List<PosternProcess> started = new CopyOnWriteArrayList<>();

    /** @param top holds the home, and beside it what the processes say */
    HomeFixture(Path top) {
        this.top = top;
        this.directory = top.resolve("home");
    }

    /** The section {@code hooks}, turned on with {@link #TOKEN}, and {@code more} lines in it. */
    static String hooks(String... more) {
        return Stream.concat(Stream.of("enabled: true", "token: " + TOKEN), Stream.of(more))
                .collect(Collectors.joining("\n  ", "hooks:\n  ", "\n"));
    }

    Path directory() {
        return directory;
    }

    Path top() {
        return top;
    }

    /** Makes {@code postern.yaml} hold {@code sections}. */
    HomeFixture settings(String... sections) throws IOException {
        return file("postern.yaml", String.join("\n", sections));
    }

    /** Makes the file {@code name} hold {@code text}, for its owner alone. */
    HomeFixture file(String name, String text) throws IOException {
        Path file = directory.resolve(name);
        Files.createDirectories(file.getParent(), PosixFilePermissions.asFileAttribute(DIRECTORY));
        Files.writeString(file, text);
        Files.setPosixFilePermissions(file, FILE);
        return this;
    }

    /** Puts the program {@code name} from the test resources into the home; returns where it is. */
    private Path program(String name) throws IOException {
        Path file = directory.resolve(name);
        Files.createDirectories(directory, PosixFilePermissions.asFileAttribute(DIRECTORY));
        try (InputStream in = HomeFixture.class.getResourceAsStream("/standalone/" + name)) {
            Files.copy(Objects.requireNonNull(in, name), file);
        }
        if (!file.toFile().setExecutable(true)) {
            throw new IOException(file + " can't be made executable");
        }
        return file;
    }

    /**
     * Makes {@code postern.yaml} hold {@code hooks}, {@code agents} as the inside of a map, and the provider {@code program},
     * which takes turns with {@code turn.sh}.
     */
    HomeFixture settingsWithProgram(String hooks, String agents) throws IOException {
        return settings(
                hooks,
                "agents: {" + agents + "}",
                "providers: {program: {kind: command, command: [" + program("turn.sh") + "]},"
                        + " nowhere: {kind: command, command: [./no/such/program]}}");
    }

    /** Has processes that are started from now on see {@code name}. */
    HomeFixture environment(String name, String value) {
        environment.put(name, value);
        return this;
    }

    /** The header {@code Authorization} of the one user that there is. */
    String operator() throws IOException {
        String credentials = "operator:" + read("secrets/console-password").strip();
        return "Basic " + Base64.getEncoder().encodeToString(credentials.getBytes(StandardCharsets.UTF_8));
    }

    String read(String name) throws IOException {
        return Files.readString(directory.resolve(name));
    }

    /** Starts {@code serve} on a free port and waits until it is ready. */
    PosternProcess start() {
        return serve("--port", "0").awaitReady();
    }

    /** Starts {@code serve} on a free port without naming this home, with what else the JVM is told, and waits until it is ready. */
    PosternProcess startByItself(String jvmOption) {
        environment("JDK_JAVA_OPTIONS", '"' + jvmOption + '"');
        return launch(List.of("--port", "0")).awaitReady();
    }

    /** Starts {@code serve} on a free port in a shell that has said {@code first}, and waits until it is ready. */
    PosternProcess startAfter(String first) {
        return startUnder(List.of("sh", "-c", first + "; exec \"$@\"", "sh"));
    }

    /** Starts {@code serve} on a free port by a {@code command} that gets its command line, and waits until it is ready. */
    PosternProcess startUnder(List<String> command) {
        List<String> line = new ArrayList<>(command);
        line.addAll(PosternProcess.command(
                ClassDataArchive.options(), List.of("serve", "--home", directory.toString(), "--port", "0")));
        return command(line).awaitReady();
    }

    /** Starts {@code serve} and doesn't wait. */
    PosternProcess serve(String... more) {
        List<String> arguments = new ArrayList<>(List.of("serve", "--home", directory.toString()));
        arguments.addAll(List.of(more));
        return launch(arguments);
    }

    /** Runs a command, with this home, to its end. */
    PosternProcess run(String... arguments) {
        PosternProcess process = launch(List.of(arguments));
        process.awaitExit();
        return process;
    }

    /** Runs a command, with this home, and doesn't wait. */
    PosternProcess launched(String... arguments) {
        return launch(List.of(arguments));
    }

    /** Runs a command, with this home, to its end, and tells it {@code line} where it asks. */
    PosternProcess answer(String line, String... arguments) {
        PosternProcess process = launch(List.of(arguments));
        process.writeLine(line);
        process.awaitExit();
        return process;
    }

    /** The home's database, to be read; also while a process uses it. */
    HomeDatabase database() {
        return HomeDatabase.open(directory.resolve("data").resolve("postern.db"));
    }

    /** Ends everything that was started here, and what that has started in turn. */
    void end() {
        started.forEach(process -> {
            // While it is their parent: nginx's workers are told from others by nothing else.
            List<ProcessHandle> descendants = ProcessHandle.of(process.pid()).stream()
                    .flatMap(ProcessHandle::descendants)
                    .toList();
            process.kill();
            descendants.forEach(ProcessHandle::destroyForcibly);
        });
        if (!Files.isDirectory(PROC)) {
            return;
        }
        try (Stream<Path> processes = Files.list(PROC)) {
            processes
                    .filter(process -> process.getFileName().toString().matches("[0-9]+"))
                    .filter(this::isInside)
                    .map(process -> ProcessHandle.of(
                            Long.parseLong(process.getFileName().toString())))
                    .forEach(handle -> handle.ifPresent(ProcessHandle::destroyForcibly));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** Everything that was said, for a person. */
    String logs() {
        return started.stream()
                .map(each -> "---- " + each + "\n" + each.out() + each.log())
                .collect(Collectors.joining("\n"));
    }

    /** Starts a command of the test's own and doesn't wait. */
    PosternProcess command(List<String> command) {
        PosternProcess process =
                PosternProcess.launch(String.join(" ", command), top, started.size(), command, environment);
        started.add(process);
        return process;
    }

    private PosternProcess launch(List<String> arguments) {
        PosternProcess process = PosternProcess.launch(top, started.size(), arguments, environment);
        started.add(process);
        return process;
    }

    private boolean isInside(Path process) {
        try {
            return Files.readSymbolicLink(process.resolve("cwd")).startsWith(directory);
        } catch (IOException ended) {
            return false;
        }
    }
}
