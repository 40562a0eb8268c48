package dev.postern.it.server;

import java.io.IOException;
import java.util.List;
import java.util.Map;
import java.util.regex.Pattern;

/** An Open Liberty with a {@code WLP_USER_DIR} of its own and a server called postern in it. */
final class Liberty implements ServerDistribution {

    private static final Pattern LOG_LINE = Pattern.compile(
            "\\[\\d+/\\d+/\\d+, \\d+:\\d\\d:\\d\\d:\\d{3} \\w+\\] \\w+ (?:id=\\w* *)?\\S+ +(?<level>[A-Z0-9]) ");
    private static final String SERVER = "servers/postern/";

    @Override
    public String unpacked() {
        return "wlp";
    }

    @Override
    public void prepare(InstanceDirectory instanceDirectory) throws IOException {
        instanceDirectory.write(
                SERVER + "server.xml",
                """
                <server>
                  <!-- These stay when a deployment goes, as its README has it. -->
                  <featureManager>
                    <feature>servlet-6.0</feature>
                    <feature>concurrent-3.0</feature>
                  </featureManager>
                  <httpEndpoint id="defaultHttpEndpoint" host="127.0.0.1" httpPort="%d" httpsPort="-1"/>
                  <!-- It waits for a minute otherwise, for a body that a sender has announced, and tests don't. -->
                  <httpOptions id="defaultHttpOptions" readTimeout="20s"/>
                  <config monitorInterval="100ms"/>
                </server>
                """
                        .formatted(instanceDirectory.port()));
        instanceDirectory.write(
                SERVER + "bootstrap.properties",
                """
                com.ibm.ws.logging.console.format=SIMPLE
                com.ibm.ws.logging.console.log.level=INFO
                com.ibm.ws.logging.trace.specification=*=info:dev.postern.*=all
                com.ibm.ws.logging.trace.file.name=stdout
                """);
        instanceDirectory.write(SERVER + "configDropins/overrides/none.xml", "<server/>");
        instanceDirectory.write(SERVER + "server.env", "keystore_password=" + ServerBindings.PASSWORD + "\n");
        instanceDirectory.copyLibraries(SERVER + "postgresql", "postgresql");
    }

    @Override
    public List<String> command(InstanceDirectory instanceDirectory) {
        return List.of(
                "sh", instanceDirectory.distribution().resolve("bin/server").toString(), "run", "postern");
    }

    @Override
    public Map<String, String> environment(InstanceDirectory instanceDirectory) {
        return Map.of(
                "WLP_USER_DIR", instanceDirectory.directory().toString(), "JVM_ARGS", "-Xmx1g -XX:TieredStopAtLevel=1");
    }

    @Override
    public Pattern logLine() {
        return LOG_LINE;
    }

    @Override
    public boolean isStarted(ServerProcess server) {
        return server.log().text().contains("CWWKF0011I");
    }

    @Override
    public Pattern executorThreads() {
        return Pattern.compile("Default Executor-thread-\\d+");
    }

    @Override
    public void deploy(InstanceDirectory instanceDirectory, Deployment deployment) throws IOException {
        DeployDescriptor server = DeployDescriptor.read("liberty/postern.xml")
                .replace("${server.output.dir}/postern", deployment.home().toString());
        ServerBindings bindings = deployment.bindings();
        bindings.hooksPath().ifPresent(path -> server.uncomment("hooks/path").replace("\"/hooks\"", '"' + path + '"'));
        bindings.database().ifPresent(database -> server.uncomment("jdbc/postern")
                .replace("//db/", "//" + database.host() + ":" + database.port() + "/")
                .replace(
                        "user=\"postern\" password=\"...\"",
                        "user=\"postern\" password=\"" + database.password() + "\""));
        if (bindings.users()) {
            String others =
                    "\n<user name=\"" + ServerBindings.STRANGER + "\" password=\"" + ServerBindings.PASSWORD + "\"/>";
            server.uncomment("basicRegistry")
                    .replace(
                            "<user name=\"vera\" password=\"...\"/>",
                            "<user name=\"" + ServerBindings.VIEWER + "\" password=\"" + ServerBindings.PASSWORD
                                    + "\"/>" + others)
                    .replace("<member name=\"vera\"/>", "<member name=\"" + ServerBindings.VIEWER + "\"/>");
        }
        server.uncomment("httpOptions");
        if (bindings.proxy()) {
            server.uncomment("remoteIp").replace("10\\.0\\.0\\.5", ServerBindings.PROXY.replace(".", "\\."));
        }
        String name = deployment.name();
        instanceDirectory.copy(deployment.war(), war(name));
        instanceDirectory.write(
                overrides(name),
                server.text()
                        .replace(
                                "id=\"postern\" location=\"postern.war\"",
                                "id=\"" + name + "\" location=\"" + name + ".war\"")
                        .replace("\"/postern\"", "\"/" + name + "\"")
                        .replace("jndiName=\"postern/", "jndiName=\"" + name + "/"));
    }

    @Override
    public void undeploy(InstanceDirectory instanceDirectory, Deployment deployment) throws IOException {
        instanceDirectory.delete(overrides(deployment.name()));
        instanceDirectory.delete(war(deployment.name()));
    }

    @Override
    public boolean isGone(ServerProcess server, Deployment deployment) {
        String log = server.log().text();
        return log.lastIndexOf("CWWKZ0009I: The application " + deployment.name() + " ")
                > log.lastIndexOf(": Application " + deployment.name() + " started");
    }

    private static String war(String name) {
        return SERVER + "apps/" + name + ".war";
    }

    private static String overrides(String name) {
        return SERVER + "configDropins/overrides/" + name + ".xml";
    }
}
