package dev.postern.it.standalone;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.attribute.PosixFilePermission;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** A test of the container image's command without a container: as its user, with only the volume writable. */
class ContainerImageIT {

    private static final Path FILE = Path.of("deploy-descriptors/container/Dockerfile");
    private static final Path WAR = Path.of(System.getProperty("it.war", "target/postern.war"));
    private static final Path TINI = Path.of("/usr/bin/tini");
    private static final Duration LONGEST = Duration.ofSeconds(90);

    @RegisterExtension
    final HomeFixtureExtension homeFixtureExtension = HomeFixtureExtension.ofTest();

    private HomeFixture home;
    private Dockerfile image;
    private String volume;
    /** The words before the image's command. */
    private List<String> beforeAll = List.of();

    @BeforeEach
    void readTheDockerfile() throws IOException {
        image = Dockerfile.read(FILE);
        volume = image.only("VOLUME");
        home = homeFixtureExtension.newHome();
        Files.setPosixFilePermissions(home.top(), PosixFilePermissions.fromString("rwxr-xr-x"));
        assumeTrue(isOpenToAll(home.top()), "the image's user may go to " + home.top());
    }

    @Test
    void runsAsSomebodyWithoutRightsWhoseIdIsANumber() {
        assertThat(image.only("USER")).matches("[1-9][0-9]*:[1-9][0-9]*");
        assertThat(image.only("ENV")).isEqualTo("POSTERN_HOME=" + volume + " MALLOC_ARENA_MAX=2");
        assertThat(image.only("EXPOSE")).isEqualTo("8080");
    }

    @Test
    void setsAHomeUpInAnEmptyVolume() throws Exception {
        Files.createDirectories(home.directory());

        PosternProcess postern = start();

        assertThat(new HookSender(
                                postern.base().resolve("/hooks/"),
                                home.read("secrets/hook-token").strip())
                        .post("wake", "{\"text\":\"hello\"}")
                        .status())
                .isEqualTo(200);
        assertThat(healthCheck(postern)).isZero();
        assertThat(postern.stop()).isZero();
        assertThat(healthCheck(postern)).isNotZero();
        assertThat(postern.log()).doesNotContain("SEVERE", "Exception");
    }

    @Test
    void letsTheRunningTurnEndWhenItIsStopped() throws Exception {
        home.settingsWithProgram(HomeFixture.hooks(), "maxConcurrent: 1, defaults: {model: program/x}");
        PosternProcess postern = start();
        String running = postern.sender()
                .post("agent", "{\"message\":\"wait for go\",\"wakeMode\":\"next-heartbeat\"}")
                .text("runId");
        await().atMost(LONGEST).until(() -> Files.exists(home.directory().resolve("agents/main/begun")));

        postern.terminate();
        home.file("agents/main/go", "");

        assertThat(postern.awaitExit()).isZero();
        try (HomeDatabase database = home.database()) {
            assertThat(database.column("SELECT id || ' ' || state || ' ' || attempts FROM run"))
                    .containsExactly(running + " succeeded 1");
        }
    }

    @Test
    void leavesNoZombiesOfProgramsBehind() throws Exception {
        String[] namespace = {"unshare", "--pid", "--fork", "--kill-child", "--mount-proc"};
        assumeTrue(Files.exists(TINI), "tini is installed");
        assumeTrue(isRoot() && run(with(namespace, "true")) == 0, "a namespace of processes can be made");
        beforeAll = List.of(namespace);
        home.settings(
                HomeFixture.hooks(),
                "agents: {defaults: {model: program/x}}",
                "providers: {program: {kind: command, command: [sh, -c, 'sleep 600 & sleep 600 & echo done']}}");
        PosternProcess postern = start();
        ProcessHandle top = ProcessHandle.of(postern.pid()).orElseThrow();
        long processes = top.descendants().count();

        for (int i = 0; i < 3; i++) {
            assertThat(postern.sender()
                            .post("agent", "{\"message\":\"go\",\"wakeMode\":\"next-heartbeat\"}")
                            .status())
                    .isEqualTo(202);
        }
        try (HomeDatabase database = home.database()) {
            await().atMost(LONGEST).until(() -> database.column("SELECT state FROM run")
                    .equals(List.of("succeeded", "succeeded", "succeeded")));
        }

        await().atMost(LONGEST).until(() -> top.descendants().count() == processes);
    }

    private static String[] with(String[] words, String last) {
        return Stream.concat(Stream.of(words), Stream.of(last)).toArray(String[]::new);
    }

    @Test
    @Tag("long")
    void startsFromAnArchiveOfItsClasses() throws Exception {
        Files.createDirectories(home.directory());
        Path log = home.directory().resolve("classes.log");
        String build = here("timeout " + image.only("RUN timeout"))
                .replace("/tmp/first", home.top().resolve("first").toString());
        Files.copy(WAR, home.top().resolve("postern.war"), StandardCopyOption.COPY_ATTRIBUTES);
        Process built = new ProcessBuilder("sh", "-c", build).inheritIO().start();
        assertThat(built.waitFor(LONGEST.toSeconds(), TimeUnit.SECONDS)).isTrue();
        assertThat(built.exitValue()).isZero();
        assertThat(home.top().resolve("first")).doesNotExist();

        PosternProcess postern = start("-Xlog:class+load:file=" + log);

        assertThat(postern.stop()).isZero();
        try (Stream<String> classes = Files.lines(log)) {
            assertThat(classes.filter(line -> line.contains("shared objects file (top)")))
                    .hasSizeGreaterThan(2_000);
        }
    }

    /** The image's command with its paths where they are here; arguments are added as {@code docker run} adds them. */
    private PosternProcess start(String... jvmOptions) throws Exception {
        Path war = home.top().resolve("postern.war");
        if (!Files.exists(war)) {
            Files.copy(WAR, war);
        }
        Files.setPosixFilePermissions(war, PosixFilePermissions.fromString("r--r--r--"));
        String copied = image.only("COPY").replaceAll(".* ", "");
        List<String> command = new ArrayList<>(asTheImagesUser());
        List<String> entrypoint = image.command("ENTRYPOINT");
        assertThat(entrypoint).startsWith("tini", "--", "java").contains(copied);
        if (Files.exists(TINI)) {
            command.addAll(entrypoint.subList(0, 2));
        }
        command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
        command.addAll(List.of(jvmOptions));
        entrypoint.stream().skip(3).map(this::here).forEach(command::add);
        command.addAll(List.of("--port", "0"));
        command.addAll(0, beforeAll);
        home.environment("POSTERN_HOME", home.directory().toString());
        // Where the root file system can't be written to, neither can the place for temporary files.
        home.environment("HOME", "/proc");
        home.environment("JDK_JAVA_OPTIONS", "-Djava.io.tmpdir=/proc -Duser.home=/proc");
        return home.command(command).awaitReady();
    }

    /** The image's {@code words} with its files where they are here. */
    private String here(String words) {
        return words.replace("/opt/postern", home.top().toString());
    }

    private List<String> asTheImagesUser() throws Exception {
        if (!isRoot()) {
            return List.of();
        }
        String ids = image.only("USER");
        String user = ids.replaceAll(":.*", "");
        String group = ids.replaceAll(".*:", "");
        assertThat(run("chown", "-R", ids, home.directory().toString())).isZero();
        return List.of("setpriv", "--reuid=" + user, "--regid=" + group, "--clear-groups");
    }

    private int healthCheck(PosternProcess postern) throws Exception {
        String[] command = image.command("HEALTHCHECK").stream()
                .map(word -> word.replace("8080", String.valueOf(postern.base().getPort())))
                .toArray(String[]::new);
        return run(command);
    }

    private static int run(String... command) throws Exception {
        Process process = new ProcessBuilder(command).inheritIO().start();
        assertThat(process.waitFor(10, TimeUnit.SECONDS)).isTrue();
        return process.exitValue();
    }

    private static boolean isRoot() {
        return System.getProperty("user.name").equals("root");
    }

    private static boolean isOpenToAll(Path directory) throws IOException {
        if (!isRoot()) {
            return true;
        }
        for (Path each :
                Stream.iterate(directory, one -> one != null, Path::getParent).toList()) {
            if (!Files.getPosixFilePermissions(each).contains(PosixFilePermission.OTHERS_EXECUTE)) {
                return false;
            }
        }
        return true;
    }
}
