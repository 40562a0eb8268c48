package dev.postern.app.launch;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Tests of the unit in {@code deploy-descriptors/systemd}, which systemd itself checks where it is installed. */
class SystemdUnitTest {

    private static final Path UNIT = Path.of("deploy-descriptors/systemd/postern.service");
    private static final Pattern EXPOSURE = Pattern.compile("exposure level for postern.service: ([0-9.]+) ");

    /** The time that running turns have to end. */
    private static final int DRAIN_SECONDS = 30;

    @TempDir
    Path directory;

    @Test
    void leavesRunningTurnsTheirTime() throws IOException {
        assertThat(values("KillMode")).containsExactly("mixed");
        assertThat(values("TimeoutStopSec")).singleElement().satisfies(seconds -> assertThat(Integer.parseInt(seconds))
                .isGreaterThan(DRAIN_SECONDS + 5));
    }

    @Test
    void letsPosternMakeControlGroupsForPrograms() throws IOException {
        assertThat(values("Delegate")).containsExactly("yes");
        assertThat(values("ProtectControlGroups")).isEmpty();
    }

    @Test
    void startsPosternAsItsCommandLineIsRead() throws Exception {
        String command = values("ExecStart").get(0);
        String[] arguments =
                command.substring(command.indexOf(".war ") + ".war ".length()).split(" ");

        assertThat(CommandLine.parse(arguments).command()).isEqualTo("serve");
        assertThat(values("Environment")).contains("LC_ALL=C.UTF-8", "POSTERN_HOME=/var/lib/postern");
        assertThat(values("StateDirectory")).containsExactly("postern");
        assertThat(values("MemoryDenyWriteExecute")).isEmpty();
    }

    @Test
    void holdsNothingThatSystemdDoesNotKnow() throws Exception {
        Path copy = directory.resolve("postern.service");
        Path java = Path.of(System.getProperty("java.home"), "bin", "java");
        Files.writeString(copy, Files.readString(UNIT).replace("/usr/bin/java", java.toString()));

        assertThat(analyzed("verify", copy.toString())).isEmpty();
    }

    @Test
    void isHardened() throws Exception {
        String judged = analyzed("security", "--offline=true", "--no-pager", UNIT.toString());

        Matcher exposure = EXPOSURE.matcher(judged);
        assertThat(exposure.find()).as(judged).isTrue();
        assertThat(Double.parseDouble(exposure.group(1))).isLessThan(2.0);
    }

    private static List<String> values(String name) throws IOException {
        try (Stream<String> lines = Files.lines(UNIT)) {
            return lines.filter(line -> line.startsWith(name + "="))
                    .map(line -> line.substring(name.length() + 1))
                    .toList();
        }
    }

    /** The output of {@code systemd-analyze}; the test is skipped if that is missing. */
    private static String analyzed(String... arguments) throws IOException, InterruptedException {
        assumeTrue(
                Arrays.stream(System.getenv("PATH").split(":"))
                        .anyMatch(folder -> Files.isExecutable(Path.of(folder, "systemd-analyze"))),
                "systemd-analyze is installed");
        List<String> command = new ArrayList<>(List.of("systemd-analyze"));
        command.addAll(List.of(arguments));
        Process process = new ProcessBuilder(command).redirectErrorStream(true).start();
        try (InputStream out = process.getInputStream()) {
            String said = new String(out.readAllBytes(), StandardCharsets.UTF_8).strip();
            assertThat(process.waitFor(30, TimeUnit.SECONDS)).isTrue();
            assertThat(process.exitValue()).as(said).isZero();
            return said;
        }
    }
}
