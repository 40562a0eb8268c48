package dev.postern.it.server;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.regex.Pattern;

/** A GlassFish with a domain of its own. Deployments and their resources are set up with {@code asadmin}. */
final class GlassFish implements ServerDistribution {

    private static final Pattern LOG_LINE =
            Pattern.compile("\\[\\d{4}-\\d\\d-\\d\\dT\\S+\\] \\[GF [^\\]]*\\] \\[(?<level>[A-Z]+)\\]");
    private static final List<String> OTHER_PORTS = List.of(
            "http.ssl.port",
            "jms.port",
            "domain.jmxPort",
            "orb.listener.port",
            "orb.ssl.port",
            "orb.mutualauth.port",
            "osgi.shell.telnet.port",
            "java.debugger.port");
    private static final String DOMAIN = "domain1";

    private final int admin = PortFinder.free();
    private final int proxyPort = PortFinder.free();
    private boolean hasProxyListener;
    private boolean hasUsers;

    @Override
    public String unpacked() {
        return "glassfish7";
    }

    @Override
    public void prepare(InstanceDirectory instanceDirectory) throws IOException {
        String others = String.join(
                ":",
                OTHER_PORTS.stream().map(port -> port + "=" + PortFinder.free()).toList());
        asadmin(
                instanceDirectory,
                ("create-domain --nopassword=true --domaindir . --adminport " + admin + " --instanceport "
                                + instanceDirectory.port() + " --domainproperties " + others + " " + DOMAIN)
                        .split(" ", -1));
        Path logging = instanceDirectory.resolve(DOMAIN + "/config/logging.properties");
        String console = "org.glassfish.main.jul.handler.SimpleLogHandler.";
        String changed = Files.readString(logging)
                .replace(console + "level=INFO", console + "level=ALL")
                .replaceFirst(
                        "(?m)^" + Pattern.quote(console + "formatter=") + ".*",
                        console + "formatter=org.glassfish.main.jul.formatter.ODLLogFormatter");
        Files.writeString(logging, changed + "\ndev.postern.level=ALL\n");
        setMemoryManager(instanceDirectory.resolve(DOMAIN + "/config/domain.xml"));
        instanceDirectory.copyLibraries(DOMAIN + "/lib", "postgresql");
    }

    /** Writes what the command would write, which needs a running server and a restart. */
    private static void setMemoryManager(Path domain) throws IOException {
        String option = DeployDescriptor.read("glassfish/README.md")
                .block("create-jvm-options")
                .strip()
                .replaceFirst("^asadmin create-jvm-options ", "");
        String last = "</java-config>";
        Files.writeString(
                domain, Files.readString(domain).replace(last, "<jvm-options>" + option + "</jvm-options>" + last));
    }

    @Override
    public List<String> command(InstanceDirectory instanceDirectory) {
        return List.of(
                program(instanceDirectory),
                "start-domain",
                "--verbose",
                "--domaindir",
                instanceDirectory.directory().toString(),
                DOMAIN);
    }

    @Override
    public Pattern logLine() {
        return LOG_LINE;
    }

    @Override
    public boolean isStarted(ServerProcess server) {
        return server.log().text().contains("startup time including CLI");
    }

    @Override
    public Pattern executorThreads() {
        return Pattern.compile("concurrent/__defaultManagedExecutorService-ManagedThreadFactory-Thread-\\d+");
    }

    @Override
    public int proxyPort(InstanceDirectory instanceDirectory) {
        return proxyPort;
    }

    @Override
    public String proxyHeader() {
        return "Proxy-ip";
    }

    @Override
    public void deploy(InstanceDirectory instanceDirectory, Deployment deployment) throws IOException {
        String name = deployment.name();
        DeployDescriptor resources = DeployDescriptor.read("glassfish/postern-resources.xml")
                .replace(
                        "${com.sun.aas.instanceRoot}/postern", deployment.home().toString());
        ServerBindings bindings = deployment.bindings();
        bindings.hooksPath()
                .ifPresent(path -> resources.uncomment("hooks/path").replace("\"/hooks\"", '"' + path + '"'));
        bindings.database().ifPresent(database -> resources
                .uncomment("jdbc/postern")
                .replace("//db/", "//" + database.host() + ":" + database.port() + "/")
                .replace("\"...\"", "\"" + database.password() + "\""));
        String named = resources
                .text()
                .replace("jndi-name=\"postern/", "jndi-name=\"" + name + "/")
                .replace("name=\"postern\"", "name=\"" + name + "\"");
        if (bindings.proxy() && !hasProxyListener) {
            String commands = DeployDescriptor.read("glassfish/README.md").block("auth-pass-through");
            for (String line : commands.replace("8081", Integer.toString(proxyPort))
                    .lines()
                    .toList()) {
                online(instanceDirectory, line.replaceFirst("^asadmin ", "").split(" ", -1));
            }
            hasProxyListener = true;
        }
        if (bindings.users() && !hasUsers) {
            addUser(instanceDirectory, ServerBindings.VIEWER, "postern-viewer");
            addUser(instanceDirectory, ServerBindings.STRANGER, "other");
            hasUsers = true;
        }
        Path file = instanceDirectory.write(name + "-resources.xml", named);
        for (String line : DeployDescriptor.read("glassfish/README.md")
                .block("add-resources")
                .lines()
                .toList()) {
            online(
                    instanceDirectory,
                    Arrays.stream(line.replaceFirst("^asadmin ", "").split(" ", -1))
                            .map(word -> word.equals("postern-resources.xml") ? file.toString() : word)
                            .map(word -> word.equals("postern.war")
                                    ? deployment.war().toString()
                                    : word)
                            .map(word -> word.equals("postern") ? name : word)
                            .toArray(String[]::new));
        }
    }

    @Override
    public void undeploy(InstanceDirectory instanceDirectory, Deployment deployment) throws IOException {
        String name = deployment.name();
        online(instanceDirectory, "undeploy", name);
        online(instanceDirectory, "delete-custom-resource", name + "/POSTERN_HOME");
        if (deployment.bindings().hooksPath().isPresent()) {
            online(instanceDirectory, "delete-custom-resource", name + "/hooks/path");
        }
        if (deployment.bindings().database().isPresent()) {
            online(instanceDirectory, "delete-jdbc-resource", name + "/jdbc/postern");
            online(instanceDirectory, "delete-jdbc-connection-pool", name);
        }
    }

    /** {@code asadmin} returns when it is. */
    @Override
    public boolean isGone(ServerProcess server, Deployment deployment) {
        return true;
    }

    private void addUser(InstanceDirectory instanceDirectory, String name, String group) throws IOException {
        Path password = instanceDirectory.write("password", "AS_ADMIN_USERPASSWORD=" + ServerBindings.PASSWORD + "\n");
        String line = DeployDescriptor.read("glassfish/README.md")
                .block("create-file-user")
                .replace("postern-viewer vera", group + " " + name)
                .replaceFirst("^asadmin ", "");
        List<String> command = new ArrayList<>(List.of("--passwordfile", password.toString()));
        command.addAll(List.of(line.split(" ", -1)));
        online(instanceDirectory, command.toArray(String[]::new));
    }

    private void online(InstanceDirectory instanceDirectory, String... command) throws IOException {
        List<String> arguments = new ArrayList<>(List.of("--port", Integer.toString(admin)));
        arguments.addAll(Arrays.asList(command));
        asadmin(instanceDirectory, arguments.toArray(String[]::new));
    }

    private static void asadmin(InstanceDirectory instanceDirectory, String... arguments) throws IOException {
        List<String> command =
                new ArrayList<>(List.of(program(instanceDirectory), "--user", "admin", "--interactive=false"));
        command.addAll(Arrays.asList(arguments));
        ServerProcess.run(instanceDirectory.directory(), command, Map.of(), instanceDirectory.resolve("asadmin.log"));
    }

    private static String program(InstanceDirectory instanceDirectory) {
        return instanceDirectory.distribution().resolve("bin/asadmin").toString();
    }
}
