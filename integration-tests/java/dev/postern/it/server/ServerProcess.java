package dev.postern.it.server;

import static org.awaitility.Awaitility.await;

import com.sun.tools.attach.AttachNotSupportedException;
import com.sun.tools.attach.VirtualMachine;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import javax.management.MBeanServerConnection;
import javax.management.remote.JMXConnector;
import javax.management.remote.JMXConnectorFactory;
import javax.management.remote.JMXServiceURL;

/** A server's process, which ends with this JVM at the latest. */
final class ServerProcess {

    private static final Duration LONGEST_START = Duration.ofMinutes(2);
    private static final Duration LONGEST_END = Duration.ofMinutes(1);

    private final Process process;
    private final ServerLog log;
    private final Thread killer;
    private JMXConnector connector;

    private ServerProcess(Process process, ServerLog log) {
        this.process = process;
        this.log = log;
        this.killer = new Thread(() -> {
            process.descendants().forEach(ProcessHandle::destroyForcibly);
            process.destroyForcibly();
        });
        Runtime.getRuntime().addShutdownHook(killer);
    }

    /**
     * Starts {@code command} with nothing of this process's environment that a server, or Postern, would look at. What it says
     * goes to {@code log}.
     */
    static ServerProcess start(Path directory, List<String> command, Map<String, String> environment, ServerLog log)
            throws IOException {
        return new ServerProcess(
                builder(directory, command, environment, log.file()).start(), log);
    }

    /** Runs {@code command} to its end, as {@link #start}. */
    static void run(Path directory, List<String> command, Map<String, String> environment, Path log)
            throws IOException {
        Process process = builder(directory, command, environment, log).start();
        try {
            if (!process.waitFor(LONGEST_START.toSeconds(), TimeUnit.SECONDS) || process.exitValue() != 0) {
                throw new IOException(command + " failed:\n" + Files.readString(log));
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IOException("interrupted", e);
        } finally {
            process.destroyForcibly();
        }
    }

    /** The program {@code name} of the JDK that the tests run on. */
    static String jdk(String name) {
        return Path.of(System.getProperty("java.home"), "bin", name).toString();
    }

    ServerLog log() {
        return log;
    }

    long pid() {
        return server().pid();
    }

    /** The JVM, which may be a child of the script that was started, or of another JVM. */
    private ProcessHandle server() {
        return Stream.concat(Stream.of(process.toHandle()), process.descendants())
                .filter(one -> one.info().command().orElse("").endsWith("java"))
                .reduce((parent, child) -> child)
                .orElse(process.toHandle());
    }

    /** Returns when {@code condition} holds; the process has to live so long. */
    void awaitThat(String what, Callable<Boolean> condition) {
        await(what)
                .atMost(LONGEST_START)
                .pollInterval(Duration.ofMillis(50))
                .failFast(what + " comes no more", () -> {
                    if (!process.isAlive()) {
                        throw new IllegalStateException("the server has ended: " + log.text());
                    }
                })
                .until(condition);
    }

    /**
     * Its MBeans, by way of its local management agent, which is started when it is first asked. The address that is connected to
     * comes from the process that was started here.
     */
    @SuppressWarnings("BanJNDI")
    synchronized MBeanServerConnection beans() throws IOException {
        if (connector == null) {
            try {
                VirtualMachine machine = VirtualMachine.attach(Long.toString(pid()));
                try {
                    connector = JMXConnectorFactory.connect(new JMXServiceURL(machine.startLocalManagementAgent()));
                } finally {
                    machine.detach();
                }
            } catch (AttachNotSupportedException e) {
                throw new IOException("the server can't be attached to", e);
            }
        }
        return connector.getMBeanServerConnection();
    }

    /** SIGTERM; returns when the process is gone. */
    void stop() throws IOException {
        server().destroy();
        try {
            if (!process.waitFor(LONGEST_END.toSeconds(), TimeUnit.SECONDS)) {
                process.destroyForcibly();
                throw new IOException("the server did not end within " + LONGEST_END);
            }
        } catch (InterruptedException e) {
            process.destroyForcibly();
            Thread.currentThread().interrupt();
            throw new IOException("interrupted", e);
        } finally {
            Runtime.getRuntime().removeShutdownHook(killer);
        }
    }

    private static ProcessBuilder builder(
            Path directory, List<String> command, Map<String, String> environment, Path log) {
        ProcessBuilder builder = new ProcessBuilder(command)
                .directory(directory.toFile())
                .redirectErrorStream(true)
                .redirectOutput(ProcessBuilder.Redirect.appendTo(log.toFile()));
        builder.environment()
                .keySet()
                .removeIf(name -> name.matches("(POSTERN|CATALINA|JETTY|JBOSS|WLP|AS|DOMAIN)_.*|.*(JAVA|JVM|JDK).*"));
        builder.environment().put("JAVA_HOME", System.getProperty("java.home"));
        builder.environment().putAll(environment);
        return builder;
    }
}
