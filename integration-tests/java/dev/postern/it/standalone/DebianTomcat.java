package dev.postern.it.standalone;

import static org.awaitility.Awaitility.await;

import dev.postern.it.server.PortFinder;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Base64;
import java.util.List;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Assumptions;

/**
 * A Tomcat of Debian's package that runs as its unit runs it, with a {@code CATALINA_BASE} of its own. It runs as the
 * user {@code tomcat}, which gets no more rights. Its file system is read-only except for what the unit and the page's
 * drop-in name.
 */
final class DebianTomcat implements AutoCloseable {

    private static final Path PACKAGE = Path.of("/usr/share/tomcat10");
    private static final Path MANAGER = Path.of("/usr/share/tomcat10-admin");
    private static final Path DESCRIPTORS = Path.of("deploy-descriptors/tomcat");
    private static final Path WAR = Path.of(System.getProperty("it.war", "target/postern.war"));
    private static final Pattern OPENED = Pattern.compile("(?m)^    ReadWritePaths=/var/lib/tomcat10/(\\S+)$");
    private static final Duration LONGEST_START = Duration.ofMinutes(2);
    private static final HttpClient CLIENT = HttpClient.newHttpClient();

    private final Path base;
    private final int port;
    private Optional<Process> process = Optional.empty();

    private DebianTomcat(Path base, int port) {
        this.base = base;
        this.port = port;
    }

    /** One with Postern deployed as the page says, which doesn't run yet; skips the test where it can't be had. */
    static DebianTomcat prepare() throws IOException {
        boolean isThere = Files.isDirectory(PACKAGE) && Files.isDirectory(MANAGER);
        if (!isThere || !System.getProperty("user.name").equals("root")) {
            String reason =
                    "Debian's Tomcat is not tried: that takes root, and Debian's packages tomcat10 and tomcat10-admin.";
            System.err.println(reason);
            Assumptions.abort(reason);
        }
        // Not below the build's, where its user may not get.
        Path base = Files.createTempDirectory(Path.of("/tmp"), "postern-tomcat10-");
        DebianTomcat tomcat = new DebianTomcat(base, PortFinder.free());
        tomcat.configure();
        return tomcat;
    }

    private void configure() throws IOException {
        run("cp", "-a", "/etc/tomcat10/.", base.resolve("conf").toString());
        Path server = base.resolve("conf/server.xml");
        Files.writeString(
                server,
                Files.readString(server)
                        .replace("<Server port=\"8005\"", "<Server port=\"-1\"")
                        .replace("<Connector port=\"8080\"", "<Connector address=\"127.0.0.1\" port=\"" + port + "\""));
        Path users = base.resolve("conf/tomcat-users.xml");
        Files.writeString(
                users,
                Files.readString(users)
                        .replace(
                                "</tomcat-users>",
                                "<user username=\"m\" password=\"m\" roles=\"manager-script\"/></tomcat-users>"));
        run("chown", "-R", "root:tomcat", base.toString());
        run("chmod", "755", base.toString());
        for (String directory : List.of("webapps", "logs", "work", "temp", "postern")) {
            run(
                    "install",
                    "-d",
                    "-o",
                    "tomcat",
                    "-g",
                    "tomcat",
                    "-m",
                    "750",
                    base.resolve(directory).toString());
        }
        deploy("postern.xml", "postern.war");
    }

    /** Deploys the WAR, as {@code war}, by the context's file {@code context}, as the page says. */
    void deploy(String context, String war) throws IOException {
        run(
                "install",
                "-m",
                "644",
                WAR.toString(),
                base.resolve("postern").resolve(war).toString());
        Path changed = Files.writeString(
                base.resolve(context),
                Files.readString(DESCRIPTORS.resolve("postern.xml")).replace("postern/postern.war", "postern/" + war));
        run("chown", "root:tomcat", changed.toString());
        run("chmod", "640", changed.toString());
        Files.move(changed, base.resolve("conf/Catalina/localhost").resolve(context), StandardCopyOption.ATOMIC_MOVE);
    }

    /** Takes the context's file {@code context} away, which Tomcat sees within 10 seconds. */
    void undeploy(String context) throws IOException {
        Files.delete(base.resolve("conf/Catalina/localhost").resolve(context));
    }

    /** Starts it; {@code withDropIn} false is what the package alone allows. */
    void start(boolean withDropIn) throws IOException {
        List<String> writable = new ArrayList<>(List.of("conf/Catalina", "webapps", "logs", "work", "temp"));
        if (withDropIn) {
            Matcher opened = OPENED.matcher(Files.readString(DESCRIPTORS.resolve("README.md")));
            while (opened.find()) {
                writable.add(opened.group(1));
            }
        }
        String binds = Stream.concat(Stream.of(""), writable.stream().map(each -> "/" + each))
                .map(each -> "mount --bind " + base + each + " " + base + each + "\n")
                .reduce("set -e\n", String::concat);
        String script = binds + "mount -o remount,bind,ro " + base
                + "\nexec setpriv --reuid tomcat --regid tomcat --clear-groups --no-new-privs sh " + PACKAGE
                + "/bin/catalina.sh run";
        ProcessBuilder builder = new ProcessBuilder("unshare", "-m", "--propagation", "private", "sh", "-c", script)
                .redirectErrorStream(true)
                .redirectOutput(base.resolve("out").toFile());
        builder.environment().keySet().removeIf(name -> name.matches("(POSTERN|CATALINA)_.*|.*JAVA.*"));
        builder.environment().put("CATALINA_HOME", PACKAGE.toString());
        builder.environment().put("CATALINA_BASE", base.toString());
        builder.environment().put("CATALINA_TMPDIR", base.resolve("temp").toString());
        builder.environment().put("JAVA_HOME", System.getProperty("java.home"));
        Process started = builder.start();
        process = Optional.of(started);
        await("Tomcat's start")
                .atMost(LONGEST_START)
                .failFast("Tomcat has ended: " + base.resolve("out"), () -> !started.isAlive())
                .until(() -> Files.readString(base.resolve("out")).contains("Server startup in"));
    }

    Path home() {
        return base.resolve("postern/home");
    }

    HookSender sender() throws IOException {
        return new HookSender(
                uri("/postern/hooks/"),
                Files.readString(home().resolve("secrets/hook-token")).strip());
    }

    HttpResponse<String> get(String path) throws IOException, InterruptedException {
        return CLIENT.send(HttpRequest.newBuilder(uri(path)).build(), BodyHandlers.ofString());
    }

    /** What the manager answers at {@code command}. */
    String manager(String command) throws IOException, InterruptedException {
        HttpRequest request = HttpRequest.newBuilder(uri("/manager/text/" + command))
                .header(
                        "Authorization",
                        "Basic " + Base64.getEncoder().encodeToString("m:m".getBytes(StandardCharsets.UTF_8)))
                .build();
        return CLIENT.send(request, BodyHandlers.ofString()).body();
    }

    String log() throws IOException {
        return Files.readString(base.resolve("out"));
    }

    private URI uri(String path) {
        return URI.create("http://127.0.0.1:" + port + path);
    }

    private static void run(String... command) throws IOException {
        Process process = new ProcessBuilder(command).redirectErrorStream(true).start();
        String said = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        if (process.onExit().join().exitValue() != 0) {
            throw new IOException(List.of(command) + ": " + said);
        }
    }

    @Override
    public void close() throws IOException {
        process.ifPresent(started -> {
            started.destroy();
            await("Tomcat's end").atMost(LONGEST_START).until(() -> !started.isAlive());
        });
        run("rm", "-rf", base.toString());
    }
}
