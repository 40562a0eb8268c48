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
final class Jetty implements ServerDistribution {

    /** Its own lines, and those that web applications log by way of the JDK. */
    private static final Pattern LOG_LINE = Pattern.compile("(?:\\d{4}-\\d\\d-\\d\\d \\d\\d:\\d\\d:\\d\\d\\.\\d{3}:|"
            + ConsoleLogging.TIME + ")(?<level>[A-Z]+) *[ :]");

    private final String unpacked;
    private final String environment;
    private final Map<String, Integer> undeployments = new ConcurrentHashMap<>();
    private final int proxyPort = PortFinder.free();

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
    public void prepare(InstanceDirectory instanceDirectory) throws IOException {
        Files.createDirectories(instanceDirectory.resolve("tmp"));
        ConsoleLogging.option(instanceDirectory.directory());
        ServerProcess.run(
                instanceDirectory.directory(),
                start(
                        instanceDirectory,
                        List.of("--add-modules=http,%1$s-deploy,%1$s-plus,ext".formatted(environment))),
                Map.of(),
                instanceDirectory.resolve("add-modules.log"));
        instanceDirectory.copy(instanceDirectory.war(), "postern/postern.war");
        instanceDirectory.copyLibraries("lib/ext", "postgresql");
        String pool = HikariDataSource.class
                .getProtectionDomain()
                .getCodeSource()
                .getLocation()
                .getPath();
        instanceDirectory.copy(Path.of(pool), "lib/ext/HikariCP.jar");
        instanceDirectory.write(
                "etc/proxy.xml", DeployDescriptor.read("jetty/proxy.xml").text());
        DeployDescriptor readme = DeployDescriptor.read("jetty/README.md");
        String viewer =
                readme.block("vera:").replace("vera", ServerBindings.VIEWER).replace("...", ServerBindings.PASSWORD);
        instanceDirectory.write(
                "etc/postern-users.properties",
                viewer + "\n" + ServerBindings.STRANGER + ": " + ServerBindings.PASSWORD + ",other\n");
        String proxy = readme.block("etc/proxy.xml");
        instanceDirectory.write("start.d/postern.ini", proxy.replace("8081", Integer.toString(proxyPort)));
    }

    @Override
    public List<String> command(InstanceDirectory instanceDirectory) {
        return start(
                instanceDirectory,
                List.of(
                        "jetty.http.host=127.0.0.1",
                        "jetty.http.port=" + instanceDirectory.port(),
                        // Jetty looks for new and vanished files only where it is told to.
                        "jetty.deploy.scanInterval=1"));
    }

    private static List<String> start(InstanceDirectory instanceDirectory, List<String> arguments) {
        List<String> command = new ArrayList<>(List.of(
                ServerProcess.jdk("java"),
                "-XX:TieredStopAtLevel=1",
                "-Djava.io.tmpdir=" + instanceDirectory.resolve("tmp"),
                "-Djava.util.logging.config.file=" + instanceDirectory.resolve("logging.properties"),
                "-jar",
                instanceDirectory.distribution().resolve("start.jar").toString()));
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
    public void deploy(InstanceDirectory instanceDirectory, Deployment deployment) throws IOException {
        ServerBindings bindings = deployment.bindings();
        DeployDescriptor context = DeployDescriptor.read("jetty/postern.xml")
                .replace("org.eclipse.jetty.ee10.", "org.eclipse.jetty." + environment + ".")
                .replace("<Set name=\"contextPath\">/postern<", "<Set name=\"contextPath\">/" + deployment.name() + "<")
                .replace(
                        "<Property name=\"jetty.base\"/>/postern/home",
                        deployment.home().toString());
        DeployDescriptor override = DeployDescriptor.read("jetty/override.xml");
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
            instanceDirectory.write(name, override.text());
            context.uncomment("overrideDescriptor").replace("/postern/override.xml", "/" + name);
        }
        Path written = instanceDirectory.write("postern/" + deployment.name() + ".xml", context.text());
        Files.move(written, file(instanceDirectory, deployment), StandardCopyOption.ATOMIC_MOVE);
    }

    @Override
    public void undeploy(InstanceDirectory instanceDirectory, Deployment deployment) throws IOException {
        undeployments.merge(deployment.name(), 1, Integer::sum);
        Files.delete(file(instanceDirectory, deployment));
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
    public int proxyPort(InstanceDirectory instanceDirectory) {
        return proxyPort;
    }

    private static Path file(InstanceDirectory instanceDirectory, Deployment deployment) {
        return instanceDirectory.resolve("webapps/" + deployment.name() + ".xml");
    }
}
