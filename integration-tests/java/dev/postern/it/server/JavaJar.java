package dev.postern.it.server;

import java.io.IOException;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.regex.Pattern;

/**
 * A server for {@code java -jar postern.war}: each deployment is a process of its own, at the root of a port of its
 * own.
 */
final class JavaJar implements Server {

    private static final Pattern LOG_LINE = Pattern.compile(ConsoleLogging.TIME + "(?<level>[A-Z]+) ");

    private final Map<String, ServerProcess> processes = new LinkedHashMap<>();
    private Path directory;

    @Override
    public void start() throws IOException {
        directory = Files.createDirectories(Path.of(System.getProperty("it.directory"), "server"));
    }

    @Override
    public URI deploy(Deployment deployment) throws IOException {
        Path log = directory.resolve(deployment.name() + ".log");
        Files.deleteIfExists(log);
        int port = PortFinder.free();
        ServerProcess process = ServerProcess.start(
                directory,
                List.of(
                        ServerProcess.jdk("java"),
                        "-XX:TieredStopAtLevel=1",
                        ConsoleLogging.option(directory),
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
        process.awaitThat(site + " to answer", () -> LivenessProbe.of(site));
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
    public Optional<Pattern> executorThreads() {
        return Optional.empty();
    }

    @Override
    public int proxyPort() {
        throw new UnsupportedOperationException("it has no setting for a proxy");
    }

    @Override
    public String proxyHeader() {
        throw new UnsupportedOperationException("it has no setting for a proxy");
    }

    @Override
    public boolean isShared() {
        return false;
    }
}
