package dev.postern.it.standalone;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.postern.it.server.PortFinder;
import java.io.File;
import java.io.IOException;
import java.net.InetAddress;
import java.net.Socket;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;
import org.junit.jupiter.api.Assumptions;

/**
 * The nginx of this machine with the file of {@code deploy-descriptors/nginx}, in front of two nodes, which may be the
 * same one twice. The file is used as shipped, except for addresses, the paths of its own files, and the one line that
 * its README changes for {@code java -jar}. Without an nginx, tests that need it are skipped, and the build's output
 * says so.
 */
final class Nginx {

    private static final Path SHIPPED = Path.of("deploy-descriptors/nginx/nginx.conf");
    private static final Duration LONGEST_START = Duration.ofSeconds(90);

    private final URI base;

    private Nginx(URI base) {
        this.base = base;
    }

    /** Starts one as a process of {@code home}, and returns when it can be reached; it is ended when that home is. */
    static Nginx start(HomeFixture home, URI one, URI other) throws IOException {
        Path program = program().orElseGet(Nginx::skip);
        Path directory = Files.createDirectories(home.top().resolve("nginx"));
        int port = PortFinder.free();
        String configuration = Files.readString(SHIPPED);
        configuration = replace(configuration, "pid /run/nginx.pid;", "pid " + directory + "/pid;");
        configuration = replace(configuration, "/var/log/nginx/", directory + "/");
        configuration = replace(configuration, "http {\n", "http {\n" + temporary(directory));
        configuration = replace(configuration, "listen 80;", "listen 127.0.0.1:" + port + ";");
        configuration = replace(configuration, "10.0.0.11:8080", one.getAuthority());
        configuration = replace(configuration, "10.0.0.12:8080", other.getAuthority());
        configuration = replace(configuration, "location /postern/hooks/ {", "location /hooks/ {");
        Path file = Files.writeString(directory.resolve("nginx.conf"), configuration);
        String rights = System.getProperty("user.name").equals("root") ? " user root;" : "";
        PosternProcess process = home.command(List.of(
                program.toString(),
                "-p",
                directory.toString(),
                "-c",
                file.toString(),
                "-e",
                directory.resolve("start.log").toString(),
                "-g",
                "daemon off;" + rights));
        await("nginx")
                .atMost(LONGEST_START)
                .pollInterval(Duration.ofMillis(20))
                .failFast("nginx has ended", () -> !process.isAlive())
                .ignoreException(java.net.ConnectException.class)
                .until(() -> {
                    try (Socket socket = new Socket(InetAddress.getLoopbackAddress(), port)) {
                        return socket.isConnected();
                    }
                });
        return new Nginx(URI.create("http://127.0.0.1:" + port));
    }

    URI base() {
        return base;
    }

    /** Sends requests to the hooks by way of it. */
    HookSender sender() {
        return new HookSender(base.resolve("/hooks/"), HomeFixture.TOKEN);
    }

    /** Where an ordinary user can write. */
    private static String temporary(Path directory) {
        return Stream.of("client_body", "proxy", "fastcgi", "uwsgi", "scgi")
                .map(kind -> "    " + kind + "_temp_path " + directory + "/" + kind + ";\n")
                .reduce("", String::concat);
    }

    private static String replace(String configuration, String shipped, String here) {
        assertThat(configuration).as("the shipped nginx.conf").contains(shipped);
        return configuration.replace(shipped, here);
    }

    /** Debian has it where only root's path leads. */
    private static Optional<Path> program() {
        return Stream.concat(
                        Stream.of(System.getenv("PATH").split(File.pathSeparator, -1)),
                        Stream.of("/usr/sbin", "/usr/local/sbin"))
                .map(directory -> Path.of(directory, "nginx"))
                .filter(Files::isExecutable)
                .findFirst();
    }

    private static Path skip() {
        String reason = "nginx.conf is not tried: there is no nginx on the PATH (Debian's package nginx).";
        System.err.println(reason);
        return Assumptions.abort(reason);
    }
}
