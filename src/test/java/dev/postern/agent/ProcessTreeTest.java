package dev.postern.agent;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assumptions.assumeThat;
import static org.awaitility.Awaitility.await;

import dev.postern.DescriptorShortage;
import java.io.BufferedReader;
import java.io.Closeable;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.UUID;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Tests with real programs that try to escape. */
class ProcessTreeTest {

    /** Prints its process number, and has neither parent nor environment from then on. */
    private static final String DAEMON = "(setsid env -i sleep 60 </dev/null >/dev/null 2>&1 & echo $!)";

    /** The same with a limit of its own, so that nothing identifies it. */
    private static final String UNMARKED =
            "(setsid env -i sh -c 'ulimit -m 4096; exec sleep 60' </dev/null >/dev/null 2>&1 & echo $!)";

    private final ProcessMarker mark =
            new ProcessMarker("POSTERN_TEST", UUID.randomUUID().toString());

    @TempDir
    Path directory;

    private Optional<Process> program = Optional.empty();

    @BeforeEach
    void begin() {
        assumeThat(ProcessMarker.isReadable()).as("Linux's /proc").isTrue();
    }

    @AfterEach
    void end() {
        ProcessTree.endAll(mark);
        program.ifPresent(Process::destroyForcibly);
    }

    @Test
    void endsAProgramOnceThereIsAFreeFileDescriptor() throws Exception {
        assertThat(DescriptorShortage.output(Shortage.class, directory)).isEqualTo("ends\nended\n");
    }

    /** A program that notes and ends a tree while it has no free file descriptor. */
    static final class Shortage {

        private Shortage() {}

        public static void main(String[] arguments) throws Exception {
            Process first = new ProcessBuilder("sleep", "60").start();
            ProcessTree loaded = new ProcessTree(first); // loads the classes, which takes file descriptors
            loaded.end();
            Process program = new ProcessBuilder("sleep", "60").start();
            ProcessTree tree = new ProcessTree(program);
            Thread ending = new Thread(tree::end, "ending");
            List<Closeable> files = DescriptorShortage.begin();
            tree.note();
            ending.start();
            ending.join(300);
            System.out.println(ending.isAlive() ? "ends" : "has ended nothing");
            DescriptorShortage.end(files);
            ending.join();
            System.out.println(program.isAlive() ? "runs" : "ended");
            program.destroyForcibly();
        }
    }

    @Test
    void leavesAloneWhatCarriesAnotherMark() throws Exception {
        ProcessHandle daemon = daemon(started(DAEMON));

        ProcessTree.endAll(new ProcessMarker(mark.variable(), mark.value() + "0"));

        assertThat(isRunning(daemon)).isTrue();
    }

    @Test
    void endsDaemonWithoutEnvironmentByItsMarkAlone() throws Exception {
        Process started = started(DAEMON);
        ProcessHandle daemon = daemon(started);
        assertThat(started.waitFor()).isZero();

        ProcessTree.endAll(mark);

        assertThat(isRunning(daemon)).isFalse();
    }

    @Test
    void endsDaemonWhoseParentsAllCleanedUp() throws Exception {
        Process started = started("env -i sh -c '(setsid sh -c \"env -i setsid sleep 60 >&- 2>&- & echo \\$!\" &)'");
        ProcessHandle daemon = daemon(started);
        assertThat(started.waitFor()).isZero();

        new ProcessTree(started, mark).end();

        assertThat(isRunning(daemon)).isFalse();
    }

    @Test
    void endsDaemonWithoutAnyMarkByItsControlGroup() throws Exception {
        ControlGroup group = ControlGroupTest.of(mark);
        Process started = started(UNMARKED);
        ProcessHandle daemon = daemon(started);
        assertThat(started.waitFor()).isZero();
        assertThat(mark.isOn(daemon.pid())).isFalse();

        ProcessTree.endAll(mark);

        assertThat(isRunning(daemon)).isFalse();
        assertThat(group.directory()).doesNotExist();
    }

    @Test
    void endsDaemonThatHidesInGroupOfItsOwn() throws Exception {
        ControlGroup group = ControlGroupTest.of(mark);
        Process started = started("cd " + group.directory()
                + " && mkdir -p inner/empty inner/most && echo 0 > inner/most/cgroup.procs && " + UNMARKED);
        ProcessHandle daemon = daemon(started);
        assertThat(started.waitFor()).isZero();

        ProcessTree.endAll(mark);

        assertThat(isRunning(daemon)).isFalse();
        assertThat(group.directory()).doesNotExist();
    }

    @Test
    void endsChainOfUnmarkedProcessesByItsControlGroup() throws Exception {
        ControlGroup group = ControlGroupTest.of(mark);
        Path link = Files.writeString(directory.resolve("link"), "trap '' TERM; ulimit -m 4096; sh \"$0\" &\n");
        Process started = started("exec env -i sh " + link + " >/dev/null 2>&1");
        assertThat(started.waitFor()).isZero();
        assertThat(group.isPopulated()).isTrue();

        ProcessTree.endAll(mark);

        assertThat(group.directory()).doesNotExist();
    }

    @Test
    void endsUnmarkedChildThatWasNotedBeforeItsParentEnded() throws Exception {
        Process started =
                new ProcessBuilder("sh", "-c", "setsid env -i sleep 60 >/dev/null & echo $!; read end").start();
        program = Optional.of(started);
        ProcessHandle child = daemon(started);
        ProcessTree tree = new ProcessTree(started, mark);
        await().until(() ->
                ProcessSnapshot.recent().trees(List.of(started.toHandle())).contains(child));
        tree.note();
        started.getOutputStream().close();
        started.waitFor();

        tree.end();

        assertThat(isRunning(child)).isFalse();
    }

    @Test
    void endsProgramThatStartsDaemonsFasterThanTheyAreFound() throws Exception {
        Process started = started("trap '' TERM; i=0; while [ $i -lt 400 ]; do i=$((i+1)); "
                + "(setsid env -i sleep 61.25 </dev/null >/dev/null 2>&1 &); done; echo $$; sleep 60");
        await().until(() -> !sleeping("61.25").isEmpty());

        new ProcessTree(started, mark).end();

        assertThat(sleeping("61.25")).isEmpty();
        assertThat(isRunning(started.toHandle())).isFalse();
    }

    @Test
    void saysThatAProgramIsNotThere() {
        assertThatThrownBy(() -> ProgramLauncher.start(new ProcessBuilder("no-such-program"), mark))
                .isInstanceOf(IOException.class)
                .hasMessageContaining("no-such-program");
    }

    @Test
    void startsProgramInItsDirectoryWithItsArgumentsAsTheyAre() throws Exception {
        Path own = Files.writeString(directory.resolve("own program"), "#!/bin/sh\nprintf '%s|' \"$@\"\n");
        assertThat(own.toFile().setExecutable(true)).isTrue();
        ProcessBuilder builder =
                new ProcessBuilder("./own program", "a  b", "", "$HOME", "-x", "ä").directory(directory.toFile());

        Process started = ProgramLauncher.start(builder, mark);

        assertThat(new String(started.getInputStream().readAllBytes(), StandardCharsets.UTF_8))
                .isEqualTo("a  b||$HOME|-x|ä|");
        assertThat(started.waitFor()).isZero();
    }

    @Test
    void startsProgramWithVariablesThatAShellWouldDrop() throws Exception {
        ProcessBuilder builder = new ProcessBuilder("cat", "/proc/self/environ");
        builder.environment().clear();
        builder.environment().put("npm_config_//registry.example/:_authToken", "x");

        Process started = ProgramLauncher.start(builder, mark);

        assertThat(new String(started.getInputStream().readAllBytes(), StandardCharsets.UTF_8).split("\0", -1))
                .contains("npm_config_//registry.example/:_authToken=x", "POSTERN_TEST=" + mark.value());
    }

    @Test
    void startsProgramWithTheEnvironmentThatItWasGivenAndNoOther() throws Exception {
        ProcessBuilder builder = new ProcessBuilder("cat", "/proc/self/environ");
        builder.environment().clear();
        builder.environment().put("GIVEN", "a 'b' $c");

        Process started = ProgramLauncher.start(builder, mark);

        assertThat(new String(started.getInputStream().readAllBytes(), StandardCharsets.UTF_8).split("\0"))
                .filteredOn(variable -> !variable.startsWith("_="))
                .containsExactlyInAnyOrder("GIVEN=a 'b' $c", "POSTERN_TEST=" + mark.value());
    }

    private Process started(String script) throws IOException {
        Process started = ProgramLauncher.start(new ProcessBuilder("sh", "-c", script), mark);
        program = Optional.of(started);
        return started;
    }

    /** The process whose number the program prints first, once it runs its final command. */
    private static ProcessHandle daemon(Process program) throws IOException {
        BufferedReader said = program.inputReader(StandardCharsets.UTF_8);
        long pid = Long.parseLong(said.readLine());
        await().until(() -> sleeping("60").contains(pid));
        return ProcessHandle.of(pid).orElseThrow();
    }

    private static List<Long> sleeping(String seconds) {
        try (Stream<ProcessHandle> all = ProcessHandle.allProcesses()) {
            return all.map(ProcessHandle::pid)
                    .filter(pid -> read(pid, "cmdline").equals("sleep\0" + seconds + "\0"))
                    .toList();
        }
    }

    private static boolean isRunning(ProcessHandle process) {
        return process.isAlive() && !read(process.pid(), "stat").contains(") Z ");
    }

    private static String read(long pid, String file) {
        try {
            return Files.readString(Path.of("/proc/" + pid, file), StandardCharsets.ISO_8859_1);
        } catch (IOException gone) {
            return "";
        }
    }
}
