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
final class WildFly implements ServerDistribution {

    private static final Pattern LOG_LINE =
            Pattern.compile("\\d{4}-\\d\\d-\\d\\d \\d\\d:\\d\\d:\\d\\d,\\d{3} (?<level>[A-Z]+) +\\[");

    private final int management = PortFinder.free();

    @Override
    public String unpacked() {
        return "wildfly-*";
    }

    @Override
    public void prepare(InstanceDirectory instanceDirectory) throws IOException {
        instanceDirectory.copy(instanceDirectory.distribution().resolve("standalone"), "standalone");
        Path configuration = instanceDirectory.resolve("standalone/configuration/standalone.xml");
        String changed = Files.readString(configuration)
                .replaceFirst(
                        "(<console-handler name=\"CONSOLE\">\\s*)<level name=\"INFO\"/>(\\s*<formatter>\\s*)"
                                + "<named-formatter name=\"COLOR-PATTERN\"/>",
                        "$1$2<named-formatter name=\"PATTERN\"/>")
                .replace(
                        "<root-logger>",
                        "<logger category=\"dev.postern\"><level name=\"ALL\"/></logger><root-logger>");
        Files.writeString(configuration, changed);
        addUser(instanceDirectory, ServerBindings.VIEWER, "postern-viewer");
        addUser(instanceDirectory, ServerBindings.STRANGER, "other");
        // Tests are less patient than senders.
        String timeout =
                DeployDescriptor.read("wildfly/README.md").block("read-timeout").replace("40000", "30000");
        instanceDirectory.write("server.cli", "embed-server\n" + timeout + "\nstop-embedded-server\n");
        cli(instanceDirectory, ".", "server.cli", "-Djboss.server.base.dir=" + instanceDirectory.resolve("standalone"));
    }

    @Override
    public List<String> command(InstanceDirectory instanceDirectory) {
        return List.of(
                "sh",
                instanceDirectory.distribution().resolve("bin/standalone.sh").toString(),
                "-Djboss.server.base.dir=" + instanceDirectory.resolve("standalone"),
                "-Djboss.http.port=" + instanceDirectory.port(),
                "-Djboss.https.port=" + PortFinder.free(),
                "-Djboss.management.http.port=" + management);
    }

    @Override
    public Map<String, String> environment(InstanceDirectory instanceDirectory) {
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
    public void deploy(InstanceDirectory instanceDirectory, Deployment deployment) throws IOException {
        String name = deployment.name();
        ServerBindings bindings = deployment.bindings();
        DeployDescriptor overlay = DeployDescriptor.read("wildfly/jboss-web.xml")
                .replace("<context-root>/postern<", "<context-root>/" + name + "<")
                .replace("${jboss.server.data.dir}/postern", deployment.home().toString());
        bindings.hooksPath().ifPresent(path -> overlay.uncomment("hooks/path").replace(">/hooks<", ">" + path + "<"));
        if (bindings.database().isPresent()) {
            overlay.uncomment("jdbc/postern");
            makeDataSource(instanceDirectory, bindings.database().get());
        }
        instanceDirectory.write(name + "/jboss-web.xml", overlay.text());
        DeployDescriptor commands = DeployDescriptor.read("wildfly/postern.cli");
        if (bindings.proxy()) {
            DeployDescriptor handlers =
                    DeployDescriptor.read("wildfly/undertow-handlers.conf").replace("10.0.0.5", ServerBindings.PROXY);
            instanceDirectory.write(name + "/undertow-handlers.conf", handlers.text());
            commands.replace("\ndeployment-overlay add", "\n# ")
                    .replace("\n#deployment-overlay", "\ndeployment-overlay");
        }
        instanceDirectory.copy(deployment.war(), name + "/" + name + ".war");
        instanceDirectory.write(
                name + "/postern.cli",
                commands.text()
                        .replace("postern.war", name + ".war")
                        .replace("--name=postern ", "--name=" + name + " "));
        online(instanceDirectory, name, "postern.cli");
    }

    @Override
    public void undeploy(InstanceDirectory instanceDirectory, Deployment deployment) throws IOException {
        String name = deployment.name();
        instanceDirectory.write(
                name + "/undeploy.cli", "undeploy " + name + ".war\ndeployment-overlay remove --name=" + name + "\n");
        online(instanceDirectory, name, "undeploy.cli");
        instanceDirectory.delete(name);
    }

    /** The command line returns when it is. */
    @Override
    public boolean isGone(ServerProcess server, Deployment deployment) {
        return true;
    }

    private void makeDataSource(InstanceDirectory instanceDirectory, ServerBindings.Database database)
            throws IOException {
        instanceDirectory.copyLibraries("postgresql", "postgresql");
        try (DirectoryStream<Path> jar = Files.newDirectoryStream(instanceDirectory.resolve("postgresql"))) {
            Files.move(jar.iterator().next(), instanceDirectory.resolve("postgresql/postgresql.jar"));
        }
        DeployDescriptor commands = DeployDescriptor.read("wildfly/postgresql.cli")
                .replace("//db/", "//" + database.host() + ":" + database.port() + "/")
                .replace("\"...\"", "\"" + database.password() + "\"");
        instanceDirectory.write("postgresql/postgresql.cli", commands.text());
        online(instanceDirectory, "postgresql", "postgresql.cli");
    }

    private static void addUser(InstanceDirectory instanceDirectory, String name, String role) throws IOException {
        String line = DeployDescriptor.read("wildfly/README.md")
                .block("add-user.sh")
                .replace("$JBOSS_HOME", instanceDirectory.distribution().toString())
                .replace("-u vera", "-u " + name)
                .replace("-g postern-viewer", "-g " + role);
        List<String> command = new ArrayList<>(List.of("sh"));
        command.addAll(List.of(line.split(" ")));
        command.addAll(List.of(
                "-p",
                ServerBindings.PASSWORD,
                "-sc",
                instanceDirectory.resolve("standalone/configuration").toString()));
        ServerProcess.run(instanceDirectory.directory(), command, Map.of(), instanceDirectory.resolve("add-user.log"));
    }

    private void online(InstanceDirectory instanceDirectory, String directory, String file) throws IOException {
        cli(instanceDirectory, directory, file, "", "--connect", "--controller=127.0.0.1:" + management);
    }

    private static void cli(
            InstanceDirectory instanceDirectory, String directory, String file, String java, String... options)
            throws IOException {
        List<String> command = new ArrayList<>();
        command.add("sh");
        command.add(instanceDirectory.distribution().resolve("bin/jboss-cli.sh").toString());
        command.addAll(List.of(options));
        command.add("--file=" + file);
        ServerProcess.run(
                instanceDirectory.resolve(directory),
                command,
                Map.of("JAVA_OPTS", "-XX:TieredStopAtLevel=1 " + java),
                instanceDirectory.resolve("jboss-cli.log"));
    }
}
