package dev.postern.app.launch;

import dev.postern.app.launch.CommandLine.Example;
import dev.postern.app.launch.CommandLine.UsageException;
import dev.postern.model.FileErrorText;
import dev.postern.model.HomeSetting;
import java.io.IOException;
import java.io.InputStream;
import java.io.PrintStream;
import java.lang.reflect.InvocationTargetException;
import java.net.URISyntaxException;
import java.net.URLClassLoader;
import java.nio.file.Files;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** The entry point of {@code java -jar postern.war}. */
public final class Launcher {

    /**
     * The property with the seconds for which the JDK's HTTP client keeps an idle connection. Java 17's default is twenty
     * minutes. A message is lost on a connection that a network device has silently dropped meanwhile.
     */
    private static final String KEEP_ALIVE = "jdk.httpclient.keepalive.timeout";

    /** The highest value of the setting {@code hooks.maxBodyBytes}. */
    private static final int MOST_BYTES = 104_857_600;

    /** The package of the commands. */
    private static final String PROGRAM = "dev.postern.app.";

    /** The command whose exit code 1 says that something would change, and 2 that this can't be told. */
    private static final String BACKTEST = "BacktestCommand";

    private Launcher() {}

    /** Runs the command that {@code args} names. Exit code 0 on success, 1 on failure, 2 for wrong arguments. */
    public static void main(String[] args) throws Exception {
        ConsoleLogHandler.install();
        CommandLine line;
        try {
            line = CommandLine.parse(args);
        } catch (UsageException e) {
            System.err.println("postern: " + e.getMessage() + "\nAll commands: java -jar postern.war --help");
            System.exit(2);
            return;
        }
        if (CommandCatalog.JSON.equals(line.options().get("logFormat")) && !ConsoleLogHandler.useJson()) {
            System.err.println("postern: " + CommandCatalog.LOG_FORMAT + " stands beside java.util.logging.config.file,"
                    + " which names the formatter itself: dev.postern.app.launch.JsonLogFormatter writes JSON");
            System.exit(2);
            return;
        }
        if (line.home() != null) {
            System.setProperty(HomeSetting.OPTION_PROPERTY, line.home());
        }
        switch (line.command()) {
            case "serve" -> serve(line);
            case "check" ->
                System.exit(program(
                        PROGRAM + "CheckCommand",
                        "run",
                        new Class<?>[] {PrintStream.class, String.class},
                        System.out,
                        line.online() ? version() : null));
            case "explain" -> System.exit(explain(Objects.requireNonNull(line.example())));
            case "backtest" -> System.exit(withOptions(BACKTEST, "run", line));
            case "import" -> System.exit(withOptions("ImportCommand", "run", line));
            case "mail setup" -> System.exit(withInput("MailCommand", "setup", line));
            case "mail test" -> System.exit(withInput("MailCommand", "test", line));
            case "token new" -> System.exit(withOptions("TokenCommand", "create", line));
            case "compact" ->
                System.exit(program(
                        PROGRAM + "CompactCommand",
                        "run",
                        new Class<?>[] {PrintStream.class, PrintStream.class},
                        System.out,
                        System.err));
            case "backup" ->
                System.exit(program(
                        PROGRAM + "BackupCommand",
                        "create",
                        new Class<?>[] {PrintStream.class, PrintStream.class, Map.class, String.class},
                        System.out,
                        System.err,
                        line.options(),
                        version()));
            case "restore" -> System.exit(withOptions("BackupCommand", "restore", line));
            case "verify" -> System.exit(withOptions("BackupCommand", "verify", line));
            case "copy-database" -> System.exit(withInput("CopyDatabaseCommand", "run", line));
            case "completion bash" -> System.out.print(ShellCompletion.script("bash"));
            case "completion zsh" -> System.out.print(ShellCompletion.script("zsh"));
            case "version" -> System.out.println("Postern " + version());
            default -> System.out.println(CommandCatalog.USAGE);
        }
    }

    private static void serve(CommandLine line) throws Exception {
        if (System.getProperty(KEEP_ALIVE) == null) {
            System.setProperty(KEEP_ALIVE, "30");
        }
        HomeSetting name = HomeSetting.ofProcess(System::getProperty, System::getenv);
        Path home;
        try {
            // The program finds the same home: without a server, no other source has precedence.
            home = name.directory(HomeSetting.userHome(System::getProperty, System::getenv));
        } catch (InvalidPathException e) {
            fail("home [" + name.origin() + "]: " + HomeSetting.wrong(e) + "; " + HomeSetting.advice(e));
            return;
        }
        UnpackedWar war;
        try {
            war = UnpackedWar.of(war(), home.resolve("work"));
        } catch (IOException e) {
            fail("the home " + home + " can't be written: " + FileErrorText.of(e));
            return;
        }
        ClassLoader loader = war.serverLoader();
        Thread.currentThread().setContextClassLoader(loader);
        Runnable server = (Runnable) loader.loadClass("dev.postern.app.launch.EmbeddedServer")
                .getConstructor(Path.class, Path.class, int.class, String.class, String.class)
                .newInstance(war.directory(), home, line.port(), line.bind(), version());
        server.run();
        war.deleteOthers();
    }

    private static int explain(Example example) throws Exception {
        byte[] payload;
        try (InputStream in = Files.newInputStream(example.payload())) {
            payload = in.readNBytes(MOST_BYTES + 1);
        } catch (IOException e) {
            System.err.println("postern: the payload " + example.payload() + " " + FileErrorText.unreadable(e));
            return 1;
        }
        if (payload.length > MOST_BYTES) {
            System.err.println("postern: the payload " + example.payload() + " has more than " + MOST_BYTES
                    + " bytes, the most that hooks.maxBodyBytes can allow");
            return 1;
        }
        return program(
                PROGRAM + "ExplainCommand",
                "run",
                new Class<?>[] {
                    PrintStream.class, PrintStream.class, String.class, byte[].class, Map.class, Map.class, String.class
                },
                System.out,
                System.err,
                example.hook(),
                payload,
                example.headers(),
                example.query(),
                example.sender());
    }

    /** Runs a command that takes the options of {@code line}. */
    private static int withOptions(String name, String method, CommandLine line) throws Exception {
        return program(
                PROGRAM + name,
                method,
                new Class<?>[] {PrintStream.class, PrintStream.class, Map.class},
                System.out,
                System.err,
                line.options());
    }

    /** Runs a command that asks a person, and takes the options of {@code line}. */
    private static int withInput(String name, String method, CommandLine line) throws Exception {
        return program(
                PROGRAM + name,
                method,
                new Class<?>[] {InputStream.class, PrintStream.class, PrintStream.class, Map.class},
                System.in,
                System.out,
                System.err,
                line.options());
    }

    /** Calls a static method of the class {@code name}, which is part of the program and not of the launcher. */
    private static int program(String name, String method, Class<?>[] parameters, @Nullable Object... arguments)
            throws Exception {
        TemporaryWar war;
        try {
            war = TemporaryWar.of(war());
        } catch (IOException e) {
            System.err.println("postern: " + e.getMessage());
            return name.equals(PROGRAM + BACKTEST) ? 2 : 1;
        }
        try (war;
                URLClassLoader loader = war.unpacked().programLoader()) {
            Thread.currentThread().setContextClassLoader(loader);
            return (int) loader.loadClass(name).getMethod(method, parameters).invoke(null, arguments);
        } catch (InvocationTargetException e) {
            throw e.getCause() instanceof Exception cause ? cause : e;
        }
    }

    private static Path war() throws URISyntaxException {
        return Path.of(Launcher.class
                .getProtectionDomain()
                .getCodeSource()
                .getLocation()
                .toURI());
    }

    private static void fail(String why) {
        System.err.println("postern: " + why);
        System.exit(1);
    }

    private static String version() {
        @Nullable String version = Launcher.class.getPackage().getImplementationVersion();
        return version == null ? "(unpackaged)" : version;
    }
}
