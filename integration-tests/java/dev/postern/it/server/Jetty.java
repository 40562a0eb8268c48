package dev.postern.it.server;

import com.zaxxer.hikari.HikariDataSource;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.regex.Pattern;

/** A Jetty with a {@code JETTY_BASE} of its own. */
final class Jetty implements Distribution {

    /** Its own lines, and those that web applications log by way of the JDK. */
    private static final Pattern LOG_LINE = Pattern.compile("(?:\\d{4}-\\d\\d-\\d\\d \\d\\d:\\d\\d:\\d\\d\\.\\d{3}:|"
            + ConsoleLogging.TIME + ")(?<level>[A-Z]+) *[ :]");

    private final String unpacked;
    private final String environment;
    private final Map<String, Integer> undeployments = new ConcurrentHashMap<>();
    private final int proxyPort = Ports.free();

    /** @param environment {@code ee10} or {@code ee11} */
    Jetty(String unpacked, String environment) {
        this.unpacked = unpacked;
        this.environment = environment;
    }

    @Override
    public String unpacked() {
        return unpacked;
    }

    @Override
    public void prepare(Base base) throws IOException {
        Files.createDirectories(base.resolve("tmp"));
        ConsoleLogging.option(base.directory());
        ServerProcess.run(
                base.directory(),
                start(base, List.of("--add-modules=http,%1$s-deploy,%1$s-plus,ext".formatted(environment))),
                Map.of(),
                base.resolve("add-modules.log"));
        base.copy(base.war(), "postern/postern.war");
        base.copyLibraries("lib/ext", "postgresql");
        String pool = HikariDataSource.class
                .getProtectionDomain()
                .getCodeSource()
                .getLocation()
                .getPath();
        base.copy(Path.of(pool), "lib/ext/HikariCP.jar");
        base.write("etc/proxy.xml", Descriptor.read("jetty/proxy.xml").text());
        Descriptor readme = Descriptor.read("jetty/README.md");
        String viewer = readme.block("vera:").replace("vera", Bindings.VIEWER).replace("...", Bindings.PASSWORD);
        base.write(
                "etc/postern-users.properties",
                viewer + "\n" + Bindings.STRANGER + ": " + Bindings.PASSWORD + ",other\n");
        String proxy = readme.block("etc/proxy.xml");
        base.write("start.d/postern.ini", proxy.replace("8081", Integer.toString(proxyPort)));
    }

    @Override
    public List<String> command(Base base) {
        return start(
                base,
                List.of(
                        "jetty.http.host=127.0.0.1",
                        "jetty.http.port=" + base.port(),
                        // Jetty looks for new and vanished files only where it is told to.
                        "jetty.deploy.scanInterval=1"));
    }

    private static List<String> start(Base base, List<String> arguments) {
        List<String> command = new ArrayList<>(List.of(
                ServerProcess.jdk("java"),
                "-XX:TieredStopAtLevel=1",
                "-Djava.io.tmpdir=" + base.resolve("tmp"),
                "-Djava.util.logging.config.file=" + base.resolve("logging.properties"),
                "-jar",
                base.distribution().resolve("start.jar").toString()));
        command.addAll(arguments);
        return command;
    }

    @Override
    public Pattern logLine() {
        return LOG_LINE;
    }

    @Override
    public boolean isStarted(ServerProcess server) {
        return server.log().text().contains("Started oejs.Server@");
    }

    @Override
    public void deploy(Base base, Deployment deployment) throws IOException {
        Bindings bindings = deployment.bindings();
        Descriptor context = Descriptor.read("jetty/postern.xml")
                .replace("org.eclipse.jetty.ee10.", "org.eclipse.jetty." + environment + ".")
                .replace("<Set name=\"contextPath\">/postern<", "<Set name=\"contextPath\">/" + deployment.name() + "<")
                .replace(
                        "<Property name=\"jetty.base\"/>/postern/home",
                        deployment.home().toString());
        Descriptor override = Descriptor.read("jetty/override.xml");
        bindings.hooksPath().ifPresent(path -> context.uncomment("hooks/path").replace(">/hooks<", ">" + path + "<"));
        bindings.database().ifPresent(database -> {
            override.uncomment("jdbc/postern");
            context.uncomment("jdbc/postern")
                    .replace("//db/", "//" + database.host() + ":" + database.port() + "/")
                    .replace("<Set name=\"password\">...<", "<Set name=\"password\">" + database.password() + "<");
        });
        if (bindings.executor()) {
            override.uncomment("concurrent/postern");
            context.uncomment("concurrent/postern");
        }
        if (bindings.users()) {
            override.uncomment("login-config");
            context.uncomment("postern-users.properties");
        }
        if (bindings.database().isPresent() || bindings.executor() || bindings.users()) {
            String name = "postern/" + deployment.name() + "-override.xml";
            base.write(name, override.text());
            context.uncomment("overrideDescriptor").replace("/postern/override.xml", "/" + name);
        }
        Path written = base.write("postern/" + deployment.name() + ".xml", context.text());
        Files.move(written, file(base, deployment), StandardCopyOption.ATOMIC_MOVE);
    }

    @Override
    public void undeploy(Base base, Deployment deployment) throws IOException {
        undeployments.merge(deployment.name(), 1, Integer::sum);
        Files.delete(file(base, deployment));
    }

    @Override
    public boolean isGone(ServerProcess server, Deployment deployment) {
        Pattern stopped = Pattern.compile("(?m)ContextHandler:.*Stopped .*\\{Postern,/" + deployment.name() + ",");
        return stopped.matcher(server.log().text()).results().count() >= undeployments.get(deployment.name());
    }

    @Override
    public Pattern executorThreads() {
        return Pattern.compile("qtp\\d+-\\d+");
    }

    @Override
    public int proxyPort(Base base) {
        return proxyPort;
    }

    private static Path file(Base base, Deployment deployment) {
        return base.resolve("webapps/" + deployment.name() + ".xml");
    }
}
