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
final class GlassFish implements Distribution {

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

    private final int admin = Ports.free();
    private final int proxyPort = Ports.free();
    private boolean hasProxyListener;
    private boolean hasUsers;

    @Override
    public String unpacked() {
        return "glassfish7";
    }

    @Override
    public void prepare(Base base) throws IOException {
        String others = String.join(
                ":", OTHER_PORTS.stream().map(port -> port + "=" + Ports.free()).toList());
        asadmin(
                base,
                ("create-domain --nopassword=true --domaindir . --adminport " + admin + " --instanceport " + base.port()
                                + " --domainproperties " + others + " " + DOMAIN)
                        .split(" ", -1));
        Path logging = base.resolve(DOMAIN + "/config/logging.properties");
        String console = "org.glassfish.main.jul.handler.SimpleLogHandler.";
        String changed = Files.readString(logging)
                .replace(console + "level=INFO", console + "level=ALL")
                .replaceFirst(
                        "(?m)^" + Pattern.quote(console + "formatter=") + ".*",
                        console + "formatter=org.glassfish.main.jul.formatter.ODLLogFormatter");
        Files.writeString(logging, changed + "\ndev.postern.level=ALL\n");
        base.copyLibraries(DOMAIN + "/lib", "postgresql");
    }

    @Override
    public List<String> command(Base base) {
        return List.of(
                program(base),
                "start-domain",
                "--verbose",
                "--domaindir",
                base.directory().toString(),
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
    public int proxyPort(Base base) {
        return proxyPort;
    }

    @Override
    public String proxyHeader() {
        return "Proxy-ip";
    }

    @Override
    public void deploy(Base base, Deployment deployment) throws IOException {
        String name = deployment.name();
        Descriptor resources = Descriptor.read("glassfish/postern-resources.xml")
                .replace(
                        "${com.sun.aas.instanceRoot}/postern", deployment.home().toString());
        Bindings bindings = deployment.bindings();
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
            String commands = Descriptor.read("glassfish/README.md").block("auth-pass-through");
            for (String line : commands.replace("8081", Integer.toString(proxyPort))
                    .lines()
                    .toList()) {
                online(base, line.replaceFirst("^asadmin ", "").split(" ", -1));
            }
            hasProxyListener = true;
        }
        if (bindings.users() && !hasUsers) {
            addUser(base, Bindings.VIEWER, "postern-viewer");
            addUser(base, Bindings.STRANGER, "other");
            hasUsers = true;
        }
        Path file = base.write(name + "-resources.xml", named);
        for (String line : Descriptor.read("glassfish/README.md")
                .block("add-resources")
                .lines()
                .toList()) {
            online(
                    base,
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
    public void undeploy(Base base, Deployment deployment) throws IOException {
        String name = deployment.name();
        online(base, "undeploy", name);
        online(base, "delete-custom-resource", name + "/POSTERN_HOME");
        if (deployment.bindings().hooksPath().isPresent()) {
            online(base, "delete-custom-resource", name + "/hooks/path");
        }
        if (deployment.bindings().database().isPresent()) {
            online(base, "delete-jdbc-resource", name + "/jdbc/postern");
            online(base, "delete-jdbc-connection-pool", name);
        }
    }

    /** {@code asadmin} returns when it is. */
    @Override
    public boolean isGone(ServerProcess server, Deployment deployment) {
        return true;
    }

    private void addUser(Base base, String name, String group) throws IOException {
        Path password = base.write("password", "AS_ADMIN_USERPASSWORD=" + Bindings.PASSWORD + "\n");
        String line = Descriptor.read("glassfish/README.md")
                .block("create-file-user")
                .replace("postern-viewer vera", group + " " + name)
                .replaceFirst("^asadmin ", "");
        List<String> command = new ArrayList<>(List.of("--passwordfile", password.toString()));
        command.addAll(List.of(line.split(" ", -1)));
        online(base, command.toArray(String[]::new));
    }

    private void online(Base base, String... command) throws IOException {
        List<String> arguments = new ArrayList<>(List.of("--port", Integer.toString(admin)));
        arguments.addAll(Arrays.asList(command));
        asadmin(base, arguments.toArray(String[]::new));
    }

    private static void asadmin(Base base, String... arguments) throws IOException {
        List<String> command = new ArrayList<>(List.of(program(base), "--user", "admin", "--interactive=false"));
        command.addAll(Arrays.asList(arguments));
        ServerProcess.run(base.directory(), command, Map.of(), base.resolve("asadmin.log"));
    }

    private static String program(Base base) {
        return base.distribution().resolve("bin/asadmin").toString();
    }
}
