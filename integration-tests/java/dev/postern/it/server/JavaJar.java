package dev.postern.it.server;

import java.io.IOException;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.regex.Pattern;

/** {@code java -jar postern.war}: each deployment is a process of its own, at the root of a port of its own. */
final class JavaJar implements Server {

    private static final Pattern LOG_LINE = Pattern.compile("\\d{4}-\\d\\d-\\d\\dT\\S+ (?<level>[A-Z]+) ");

    private final Map<String, ServerProcess> processes = new LinkedHashMap<>();
    private Path directory;

    /** As it logs by itself, with more of Postern's own. */
    @Override
    public void start() throws IOException {
        directory = Files.createDirectories(Path.of(System.getProperty("it.directory"), "server"));
        Files.writeString(
                directory.resolve("logging.properties"),
                """
                handlers = java.util.logging.ConsoleHandler
                java.util.logging.ConsoleHandler.level = ALL
                java.util.logging.SimpleFormatter.format = %1$tFT%1$tT.%1$tL%1$tz %4$s %3$s: %5$s%6$s%n
                dev.postern.level = ALL
                org.apache.level = WARNING
                org.glassfish.level = WARNING
                com.zaxxer.level = WARNING
                """);
    }

    @Override
    public URI deploy(Deployment deployment) throws IOException {
        Path log = directory.resolve(deployment.name() + ".log");
        Files.deleteIfExists(log);
        int port = Ports.free();
        ServerProcess process = ServerProcess.start(
                directory,
                List.of(
                        ServerProcess.jdk("java"),
                        "-XX:TieredStopAtLevel=1",
                        "-Djava.util.logging.config.file=" + directory.resolve("logging.properties"),
                        "-Djava.io.tmpdir=" + directory,
                        "-jar",
                        deployment.war().toString(),
                        "serve",
                        "--port",
                        Integer.toString(port),
                        "--home",
                        deployment.home().toString()),
                Map.of(),
                new ServerLog(log, LOG_LINE));
        processes.put(deployment.name(), process);
        URI site = URI.create("http://127.0.0.1:" + port + "/");
        process.awaitThat(site + " to answer", () -> Liveness.of(site));
        return site;
    }

    @Override
    public void undeploy(Deployment deployment) throws IOException {
        processes.remove(deployment.name()).stop();
    }

    @Override
    public void stop() throws IOException {
        for (ServerProcess process : processes.values()) {
            process.stop();
        }
    }

    @Override
    public ServerProcess process(String deployment) {
        return processes.get(deployment);
    }

    @Override
    public boolean isShared() {
        return false;
    }
}
