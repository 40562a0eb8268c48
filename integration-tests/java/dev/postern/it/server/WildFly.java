package dev.postern.it.server;

import java.io.IOException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.regex.Pattern;

/**
 * A WildFly with a {@code jboss.server.base.dir} of its own. Deployments and their resources are set up with its
 * command line.
 */
final class WildFly implements Distribution {

    private static final Pattern LOG_LINE =
            Pattern.compile("\\d{4}-\\d\\d-\\d\\d \\d\\d:\\d\\d:\\d\\d,\\d{3} (?<level>[A-Z]+) +\\[");

    private final int management = Ports.free();

    @Override
    public String unpacked() {
        return "wildfly-*";
    }

    @Override
    public void prepare(Base base) throws IOException {
        base.copy(base.distribution().resolve("standalone"), "standalone");
        Path configuration = base.resolve("standalone/configuration/standalone.xml");
        String changed = Files.readString(configuration)
                .replaceFirst(
                        "(<console-handler name=\"CONSOLE\">\\s*)<level name=\"INFO\"/>(\\s*<formatter>\\s*)"
                                + "<named-formatter name=\"COLOR-PATTERN\"/>",
                        "$1$2<named-formatter name=\"PATTERN\"/>")
                .replace(
                        "<root-logger>",
                        "<logger category=\"dev.postern\"><level name=\"ALL\"/></logger><root-logger>");
        Files.writeString(configuration, changed);
        addUser(base, Bindings.VIEWER, "postern-viewer");
        addUser(base, Bindings.STRANGER, "other");
        // Tests are less patient than senders.
        String timeout =
                Descriptor.read("wildfly/README.md").block("read-timeout").replace("40000", "30000");
        base.write("server.cli", "embed-server\n" + timeout + "\nstop-embedded-server\n");
        cli(base, ".", "server.cli", "-Djboss.server.base.dir=" + base.resolve("standalone"));
    }

    @Override
    public List<String> command(Base base) {
        return List.of(
                "sh",
                base.distribution().resolve("bin/standalone.sh").toString(),
                "-Djboss.server.base.dir=" + base.resolve("standalone"),
                "-Djboss.http.port=" + base.port(),
                "-Djboss.https.port=" + Ports.free(),
                "-Djboss.management.http.port=" + management);
    }

    @Override
    public Map<String, String> environment(Base base) {
        return Map.of("JAVA_OPTS", "-Xmx1g -XX:TieredStopAtLevel=1");
    }

    @Override
    public Pattern logLine() {
        return LOG_LINE;
    }

    @Override
    public boolean isStarted(ServerProcess server) {
        return server.log().text().contains("WFLYSRV0025");
    }

    @Override
    public Pattern executorThreads() {
        return Pattern.compile("EE-ManagedExecutorService-default-Thread-\\d+");
    }

    @Override
    public void deploy(Base base, Deployment deployment) throws IOException {
        String name = deployment.name();
        Bindings bindings = deployment.bindings();
        Descriptor overlay = Descriptor.read("wildfly/jboss-web.xml")
                .replace("<context-root>/postern<", "<context-root>/" + name + "<")
                .replace("${jboss.server.data.dir}/postern", deployment.home().toString());
        bindings.hooksPath().ifPresent(path -> overlay.uncomment("hooks/path").replace(">/hooks<", ">" + path + "<"));
        if (bindings.database().isPresent()) {
            overlay.uncomment("jdbc/postern");
            makeDataSource(base, bindings.database().get());
        }
        base.write(name + "/jboss-web.xml", overlay.text());
        Descriptor commands = Descriptor.read("wildfly/postern.cli");
        if (bindings.proxy()) {
            Descriptor handlers =
                    Descriptor.read("wildfly/undertow-handlers.conf").replace("10.0.0.5", Bindings.PROXY);
            base.write(name + "/undertow-handlers.conf", handlers.text());
            commands.replace("\ndeployment-overlay add", "\n# ")
                    .replace("\n#deployment-overlay", "\ndeployment-overlay");
        }
        base.copy(deployment.war(), name + "/" + name + ".war");
        base.write(
                name + "/postern.cli",
                commands.text()
                        .replace("postern.war", name + ".war")
                        .replace("--name=postern ", "--name=" + name + " "));
        online(base, name, "postern.cli");
    }

    @Override
    public void undeploy(Base base, Deployment deployment) throws IOException {
        String name = deployment.name();
        base.write(
                name + "/undeploy.cli", "undeploy " + name + ".war\ndeployment-overlay remove --name=" + name + "\n");
        online(base, name, "undeploy.cli");
        base.delete(name);
    }

    /** The command line returns when it is. */
    @Override
    public boolean isGone(ServerProcess server, Deployment deployment) {
        return true;
    }

    private void makeDataSource(Base base, Bindings.Database database) throws IOException {
        base.copyLibraries("postgresql", "postgresql");
        try (DirectoryStream<Path> jar = Files.newDirectoryStream(base.resolve("postgresql"))) {
            Files.move(jar.iterator().next(), base.resolve("postgresql/postgresql.jar"));
        }
        Descriptor commands = Descriptor.read("wildfly/postgresql.cli")
                .replace("//db/", "//" + database.host() + ":" + database.port() + "/")
                .replace("\"...\"", "\"" + database.password() + "\"");
        base.write("postgresql/postgresql.cli", commands.text());
        online(base, "postgresql", "postgresql.cli");
    }

    private static void addUser(Base base, String name, String role) throws IOException {
        String line = Descriptor.read("wildfly/README.md")
                .block("add-user.sh")
                .replace("$JBOSS_HOME", base.distribution().toString())
                .replace("-u vera", "-u " + name)
                .replace("-g postern-viewer", "-g " + role);
        List<String> command = new ArrayList<>(List.of("sh"));
        command.addAll(List.of(line.split(" ")));
        command.addAll(List.of(
                "-p",
                Bindings.PASSWORD,
                "-sc",
                base.resolve("standalone/configuration").toString()));
        ServerProcess.run(base.directory(), command, Map.of(), base.resolve("add-user.log"));
    }

    private void online(Base base, String directory, String file) throws IOException {
        cli(base, directory, file, "", "--connect", "--controller=127.0.0.1:" + management);
    }

    private static void cli(Base base, String directory, String file, String java, String... options)
            throws IOException {
        List<String> command = new ArrayList<>();
        command.add("sh");
        command.add(base.distribution().resolve("bin/jboss-cli.sh").toString());
        command.addAll(List.of(options));
        command.add("--file=" + file);
        ServerProcess.run(
                base.resolve(directory),
                command,
                Map.of("JAVA_OPTS", "-XX:TieredStopAtLevel=1 " + java),
                base.resolve("jboss-cli.log"));
    }
}
