package dev.postern.app.launch;

import dev.postern.model.FileErrorText;
import java.io.IOException;
import java.net.BindException;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.function.Consumer;
import org.apache.catalina.Context;
import org.apache.catalina.LifecycleException;
import org.apache.catalina.LifecycleState;
import org.apache.catalina.connector.Connector;
import org.apache.catalina.core.StandardContext;
import org.apache.catalina.core.StandardHost;
import org.apache.catalina.loader.WebappLoader;
import org.apache.catalina.session.StandardManager;
import org.apache.catalina.startup.Tomcat;
import org.apache.tomcat.util.modeler.Registry;
import org.jspecify.annotations.Nullable;

/** The embedded Tomcat, which runs the unpacked WAR. Loaded by name: only {@code serve} has Tomcat on its class path. */
public final class EmbeddedServer implements Runnable {

    /**
     * The attribute with the future by which the web application reports its start. The map has {@code ready}, the end of the
     * ready line. It may have {@code message}, a text to log with {@code {base}} in it. If there is a page for users it has
     * {@code password}, the operator's. A failure's message is the reasons why it could not start, a line each.
     */
    private static final String LAUNCHED = "dev.postern.launched";

    /** The attribute with the consumer that the web application calls with the networks of trusted proxies. */
    private static final String PROXIES = "dev.postern.proxies";

    /** The name of the only user, which the web application logs too. */
    private static final String OPERATOR = "operator";

    private final Path webapp;
    private final Path home;
    private final int port;
    private final String bind;
    private final String version;
    private final CompletableFuture<Map<String, String>> program = new CompletableFuture<>();

    /**
     * Prepares the server.
     *
     * @param webapp the unpacked WAR
     * @param home the home directory; Tomcat's own files go to its {@code work/}
     * @param port the port; 0 takes a free one
     * @param bind the address to listen at
     * @param version Postern's version
     */
    public EmbeddedServer(Path webapp, Path home, int port, String bind, String version) {
        this.webapp = webapp;
        this.home = home;
        this.port = port;
        this.bind = bind;
        this.version = version;
    }

    /**
     * Starts the server and leaves it running. Prints one line when it is ready, which may be later, if the program has to
     * wait for its database. Ends the process if the start fails.
     */
    @Override
    public void run() {
        refuseTakenPort();
        Registry.disableRegistry(); // Tomcat's own MBeans, which would cost a tenth of the start; Postern's stay
        Tomcat tomcat = new Tomcat();
        try {
            Path files = home.resolve("work/tomcat");
            // Tomcat would make the web application's directory with permissions that depend on the umask.
            UnpackedWar.makeOwnerOnly(files.resolve("work/Tomcat/localhost/ROOT"));
            tomcat.setBaseDir(files.toString());
            Connector connector = connector();
            tomcat.setConnector(connector);
            Context context = context(tomcat);
            tomcat.start();
            if (!program.isDone() && context.getState() != LifecycleState.STARTED) {
                fail("the program could not start; the log above says why");
            }
            String base = "http://" + host() + ":" + connector.getLocalPort();
            // Before the ready line: who reads it may end the process at once, and has to find it prepared.
            Runtime.getRuntime().addShutdownHook(new Thread(() -> stop(tomcat), "postern-shutdown"));
            var unused = program.whenComplete((words, failure) -> reportStart(tomcat, base, words, failure));
        } catch (LifecycleException e) {
            @Nullable BindException taken = portTaken(e);
            fail(taken == null ? "the server could not start: " + e : sentence(taken));
        } catch (IOException e) {
            fail("the home " + home + " can't be written: " + FileErrorText.of(e));
        }
    }

    /** Prints the result of the start. If it failed, halts the process, which has nothing to save. */
    private void reportStart(
            Tomcat tomcat, String base, @Nullable Map<String, String> words, @Nullable Throwable failure) {
        if (words == null) {
            String problems = failure == null ? "" : String.valueOf(failure.getMessage());
            problems.lines().forEach(problem -> System.err.println("postern: " + problem));
            Runtime.getRuntime().halt(1);
            return;
        }
        @Nullable String password = words.get("password");
        if (password != null) {
            tomcat.addUser(OPERATOR, password);
            tomcat.addRole(OPERATOR, "postern-operator");
        }
        @Nullable String message = words.get("message");
        if (message != null) {
            System.getLogger(EmbeddedServer.class.getName())
                    .log(System.Logger.Level.INFO, message.replace("{base}", base));
        }
        System.out.println("Postern " + version + " is ready at " + base + words.get("ready"));
        HeapOptions.returnMemory();
    }

    private Connector connector() {
        Connector connector = new SmallBufferConnector(new SlowClientProtocol(SlowClientProtocol.Limits.USUAL));
        connector.setPort(port);
        connector.setProperty("address", bind);
        // Bound last, so that the socket can be closed first: while running turns end, new connections are refused.
        connector.setProperty("bindOnInit", "false");
        connector.setThrowOnFailure(true);
        // For many connections at one moment: Linux drops those past this number, and senders retry after a second.
        connector.setProperty("acceptCount", "2000");
        // A connection is closed whose body is not read whole.
        connector.setProperty("maxSwallowSize", "0");
        // Nobody needs trailers, and each connection that waits for a response has a buffer of this size for them.
        connector.setProperty("maxTrailerSize", "512");
        // With buffers of this size an idle connection costs 4 KB; with those of Tomcat, 18 KB. A request is read
        // in pieces of the first size.
        connector.setProperty("maxConnections", "12000");
        connector.setProperty("socket.appReadBufSize", "768");
        connector.setProperty("socket.appWriteBufSize", "1024");
        connector.setProperty("maxHttpResponseHeaderSize", "3072");
        // A response of this size occupies no thread, however slowly its client reads.
        connector.setProperty("socket.txBufSize", "262144");
        connector.setXpoweredBy(false);
        // Postern answers TRACE like other methods that it does not know. Tomcat would name the wrong ones in Allow.
        connector.setAllowTrace(true);
        // A path with a backslash is well-formed here, so that it is answered 404 like others that readers may read
        // differently.
        connector.setProperty("relaxedPathChars", "\\");
        return connector;
    }

    private Context context(Tomcat tomcat) {
        StandardHost host = (StandardHost) tomcat.getHost();
        host.setErrorReportValveClass(ErrorResponseValve.class.getName()); // or Tomcat would add its own
        host.getPipeline().addValve(new ErrorResponseValve());
        tomcat.enableNaming();
        tomcat.setAddDefaultWebXmlToWebapp(false);
        StandardContext context = (StandardContext) tomcat.addWebapp("", webapp.toString());
        ClassLoader parent = EmbeddedServer.class.getClassLoader();
        context.setParentClassLoader(parent);
        WebappLoader loader = new WebappLoader();
        loader.setLoaderInstance(new ProgramClassLoader(parent));
        context.setLoader(loader);
        context.setUseHttpOnly(true);
        StandardManager sessions = new StandardManager();
        sessions.setPathname(null); // no session outlives the process
        sessions.setSecureRandomAlgorithm(""); // the platform's own; Tomcat's choice waits for a slow seed
        context.setManager(sessions);
        // The process ends with the program, so that nothing can leak; the check would warn of closed JDK packages.
        context.setSkipMemoryLeakChecksOnJvmShutdown(true);
        context.getJarScanner().setJarScanFilter((type, name) -> false);
        context.getServletContext().setAttribute(LAUNCHED, program);
        Consumer<List<String>> proxies = networks -> trust(host, networks);
        context.getServletContext().setAttribute(PROXIES, proxies);
        return context;
    }

    /** Trusts {@code networks}. The web application calls this during its start, before the connector takes requests. */
    private static void trust(StandardHost host, List<String> networks) {
        if (!networks.isEmpty()) {
            host.getPipeline().addValve(new TrustedProxiesValve(networks));
        }
    }

    /** Stops the web application, which waits for running turns and leaves the rest in the database. */
    private static void stop(Tomcat tomcat) {
        try {
            tomcat.stop();
            tomcat.destroy();
        } catch (LifecycleException e) {
            System.err.println("postern: the server did not stop cleanly: " + e);
            Runtime.getRuntime().halt(1);
        }
        // The process was asked to end: exit code 0, whatever the signal.
        Runtime.getRuntime().halt(0);
    }

    private String host() {
        return bind.contains(":") ? "[" + bind + "]" : bind;
    }

    /** Checks the port before the program starts, since the program begins to work before the connector is bound. */
    private void refuseTakenPort() {
        try (ServerSocket probe = new ServerSocket()) {
            probe.bind(new InetSocketAddress(bind, port));
        } catch (BindException e) {
            fail(sentence(e));
        } catch (IOException e) {
            fail("requests can't be taken at " + bind + ": " + e.getMessage());
        }
    }

    private String sentence(BindException e) {
        String reason = String.valueOf(e.getMessage());
        String where = "port " + port + " on " + bind + " ";
        return where + (reason.contains("in use") ? "is in use" : "can't be taken: " + reason);
    }

    private static @Nullable BindException portTaken(Throwable failure) {
        for (@Nullable Throwable cause = failure; cause != null; cause = cause.getCause()) {
            if (cause instanceof BindException taken) {
                return taken;
            }
        }
        return null;
    }

    private static void fail(String why) {
        System.err.println("postern: " + why);
        System.exit(1);
    }
}
