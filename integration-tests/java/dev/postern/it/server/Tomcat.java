package dev.postern.it.server;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.regex.Pattern;
import javax.management.MalformedObjectNameException;
import javax.management.ObjectName;

/** A Tomcat with a {@code CATALINA_BASE} of its own. */
final class Tomcat implements ServerDistribution {

    private static final Pattern LOG_LINE =
            Pattern.compile("\\d\\d-\\w{3}-\\d{4} \\d\\d:\\d\\d:\\d\\d\\.\\d{3} (?<level>[A-Z]+) \\[");
    private static final String CONTEXTS = "conf/Catalina/localhost/";

    private final String unpacked;

    Tomcat(String unpacked) {
        this.unpacked = unpacked;
    }

    @Override
    public String unpacked() {
        return unpacked;
    }

    @Override
    public void prepare(InstanceDirectory instanceDirectory) throws IOException {
        for (String directory : List.of("webapps", "temp", "work", "logs", CONTEXTS)) {
            Files.createDirectories(instanceDirectory.resolve(directory));
        }
        instanceDirectory.copy(instanceDirectory.distribution().resolve("conf"), "conf");
        instanceDirectory.copy(instanceDirectory.war(), "postern/postern.war");
        instanceDirectory.copyLibraries("lib", "postgresql");
        Path executor = Path.of(System.getProperty("it.descriptors"), "tomcat", "ServerExecutor.java");
        ServerProcess.run(
                instanceDirectory.directory(),
                List.of(
                        ServerProcess.jdk("javac"),
                        "-d",
                        instanceDirectory.resolve("lib").toString(),
                        executor.toString()),
                Map.of(),
                instanceDirectory.resolve("javac.log"));
        DeployDescriptor readme = DeployDescriptor.read("tomcat/README.md");
        Path server = instanceDirectory.resolve("conf/server.xml");
        String changed = Files.readString(server)
                .replace("<Server port=\"8005\"", "<Server port=\"-1\"")
                .replace(
                        "<Connector port=\"8080\"",
                        "<Connector address=\"127.0.0.1\" port=\"" + instanceDirectory.port()
                                + "\" minSpareThreads=\"1\"")
                // It looks for new and vanished files then, which is each 10 s otherwise.
                .replace("<Engine ", "<Engine backgroundProcessorDelay=\"1\" ")
                .replace("</Host>", readme.block("ErrorReportValve") + "\n</Host>")
                .replace("</GlobalNamingResources>", readme.block("concurrent/postern") + "\n</GlobalNamingResources>");
        Files.writeString(server, changed);
        String viewer = readme.block("postern-viewer")
                .replace("\"...\"", "\"" + ServerBindings.PASSWORD + "\"")
                .replace("\"vera\"", "\"" + ServerBindings.VIEWER + "\"");
        String stranger = "<user username=\"" + ServerBindings.STRANGER + "\" password=\"" + ServerBindings.PASSWORD
                + "\" roles=\"x\"/>";
        Path users = instanceDirectory.resolve("conf/tomcat-users.xml");
        Files.writeString(
                users,
                Files.readString(users).replace("</tomcat-users>", viewer + "\n" + stranger + "\n</tomcat-users>"));
        Path logging = instanceDirectory.resolve("conf/logging.properties");
        Files.writeString(
                logging, Files.readString(logging) + "\ndev.postern.level = ALL\n" + readme.block("Http11Processor"));
    }

    @Override
    public List<String> command(InstanceDirectory instanceDirectory) {
        return List.of(
                "sh",
                instanceDirectory.distribution().resolve("bin/catalina.sh").toString(),
                "run");
    }

    @Override
    public Map<String, String> environment(InstanceDirectory instanceDirectory) {
        return Map.of(
                "CATALINA_HOME",
                instanceDirectory.distribution().toString(),
                "CATALINA_BASE",
                instanceDirectory.directory().toString(),
                "CATALINA_OPTS",
                // What is only softly reachable is no leak.
                "-XX:TieredStopAtLevel=1 -Xmx1g -XX:SoftRefLRUPolicyMSPerMB=0");
    }

    @Override
    public Pattern logLine() {
        return LOG_LINE;
    }

    @Override
    public boolean isStarted(ServerProcess server) {
        return server.log().text().contains("Server startup in");
    }

    @Override
    public void deploy(InstanceDirectory instanceDirectory, Deployment deployment) throws IOException {
        DeployDescriptor context = DeployDescriptor.read("tomcat/postern.xml")
                .replace("${catalina.base}/postern/home", deployment.home().toString());
        ServerBindings bindings = deployment.bindings();
        bindings.hooksPath().ifPresent(path -> context.uncomment("hooks/path").replace("\"/hooks\"", '"' + path + '"'));
        bindings.database().ifPresent(database -> context.uncomment("jdbc/postern")
                .replace("//db/", "//" + database.host() + ":" + database.port() + "/")
                .replace(
                        "username=\"postern\" password=\"...\"",
                        "username=\"postern\" password=\"" + database.password() + "\""));
        if (bindings.executor()) {
            context.uncomment("concurrent/postern");
        }
        if (bindings.proxy()) {
            context.uncomment("RemoteIpValve").replace("10\\.0\\.0\\.5", ServerBindings.PROXY.replace(".", "\\."));
        }
        instanceDirectory.write(CONTEXTS + deployment.name() + ".xml", context.text());
    }

    @Override
    public Pattern executorThreads() {
        return Pattern.compile("server-executor-\\d+");
    }

    @Override
    public void undeploy(InstanceDirectory instanceDirectory, Deployment deployment) throws IOException {
        Files.delete(instanceDirectory.resolve(CONTEXTS + deployment.name() + ".xml"));
    }

    @Override
    public boolean isGone(ServerProcess server, Deployment deployment) throws IOException {
        try {
            return server.beans()
                    .queryNames(
                            new ObjectName("Catalina:j2eeType=WebModule,name=//localhost/" + deployment.name() + ",*"),
                            null)
                    .isEmpty();
        } catch (MalformedObjectNameException e) {
            throw new IllegalArgumentException(e);
        }
    }
}
