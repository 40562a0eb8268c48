package dev.postern.it.standalone;

import static org.awaitility.Awaitility.await;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.File;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.stream.IntStream;
import java.util.stream.Stream;

/** A server of Debian's that runs as a process on this machine. Skips the test where it is not installed. */
final class InstalledServer implements AutoCloseable {

    /** Whether the servers are started as root, and become {@link #user} themselves. */
    static final boolean ROOT = "root".equals(System.getProperty("user.name"));

    private static final Duration LONGEST_START = Duration.ofSeconds(90);

    private final Process process;

    /**
     * Starts a server and waits until it answers.
     *
     * @param program the path of the program
     * @param directory gets what it says
     * @param ports those it answers at
     */
    InstalledServer(Path program, Path directory, List<String> arguments, int... ports) throws IOException {
        process = new ProcessBuilder(Stream.concat(Stream.of(program.toString()), arguments.stream())
                        .toList())
                .redirectErrorStream(true)
                .redirectOutput(directory.resolve("out.log").toFile())
                .start();
        await(program + ", see " + directory).atMost(LONGEST_START).until(() -> IntStream.of(ports)
                .allMatch(InstalledServer::answers));
    }

    /** Finds the program {@code name}; skips the test where the Debian package is not installed. */
    static Path program(String name, String debianPackage) {
        Optional<Path> program = Stream.concat(
                        Stream.of(System.getenv("PATH").split(File.pathSeparator, -1)), Stream.of("/usr/sbin"))
                .map(directory -> Path.of(directory, name))
                .filter(Files::isExecutable)
                .findFirst();
        assumeTrue(program.isPresent(), name + " (package " + debianPackage + ") has to be installed");
        return program.orElseThrow();
    }

    /** The user who owns what the servers write. */
    static String user() {
        return ROOT ? "nobody" : System.getProperty("user.name");
    }

    static String group() {
        return ROOT ? "nogroup" : System.getProperty("user.name");
    }

    /** Makes {@code directory} one that all users may enter. */
    static Path open(Path directory) throws IOException {
        return Files.setPosixFilePermissions(directory, PosixFilePermissions.fromString("rwxr-xr-x"));
    }

    /** Gives a file or directory to {@link #user}. */
    static Path own(Path file) throws IOException {
        return ROOT
                ? Files.setOwner(
                        file,
                        file.getFileSystem().getUserPrincipalLookupService().lookupPrincipalByName(user()))
                : file;
    }

    private static boolean answers(int port) {
        try (Socket socket = new Socket()) {
            socket.connect(new InetSocketAddress(InetAddress.getLoopbackAddress(), port), 500);
            return true;
        } catch (IOException notYet) {
            return false;
        }
    }

    @Override
    public void close() {
        process.destroy();
        try {
            if (!process.waitFor(10, TimeUnit.SECONDS)) {
                process.destroyForcibly();
            }
        } catch (InterruptedException e) {
            process.destroyForcibly();
            Thread.currentThread().interrupt();
        }
    }
}
