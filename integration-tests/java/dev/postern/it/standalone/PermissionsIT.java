package dev.postern.it.standalone;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermission;
import java.nio.file.attribute.PosixFilePermissions;
import java.nio.file.attribute.UserPrincipal;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** A test of the permissions of the files in a home. */
class PermissionsIT {

    private static final Set<PosixFilePermission> DIRECTORY = PosixFilePermissions.fromString("rwxr-x---");
    private static final Set<PosixFilePermission> FILE = PosixFilePermissions.fromString("rwxr-----");
    private static final Set<PosixFilePermission> SECRET = PosixFilePermissions.fromString("rw-------");

    @RegisterExtension
    final HomeFixtureExtension homeFixtureExtension = HomeFixtureExtension.ofTest();

    @Test
    void opensNothingToOthersWhateverTheUmask() throws Exception {
        HomeFixture home = homeFixtureExtension.newHome();
        PosternProcess first = home.startAfter("umask 000");
        String settings = home.read("postern.yaml");
        assertThat(first.stop()).isZero();
        home.file(
                "postern.yaml",
                settings
                        + """
                providers: {command: {command: [sh, -c, 'echo done']}}
                agents: {defaults: {model: offline/echo}, list: [{id: main}, {id: other, model: command/any}]}
                """);
        PosternProcess second = home.startAfter("umask 000");
        HookSender sender =
                second.sender().withToken(home.read("secrets/hook-token").strip());
        assertThat(sender.post("agent", "{\"message\":\"x\",\"agentId\":\"other\"}", "Prefer", "wait=20")
                        .text("reply"))
                .isEqualTo("done");

        assertThat(tooWide(home.directory())).isEmpty();
        assertThat(Files.getPosixFilePermissions(home.directory().resolve("secrets/console-password")))
                .isEqualTo(SECRET);
        assertThat(first.log() + second.log()).doesNotContain("permissions [");
    }

    @Test
    void warnsOfSecretsThatOthersCanReadAtEachStartAndInCheck() throws IOException {
        HomeFixture home = homeFixtureExtension.newHome();
        assertThat(home.start().stop()).isZero();
        Path token = home.directory().resolve("secrets/hook-token");
        Files.setPosixFilePermissions(token, PosixFilePermissions.fromString("rw-r--r--"));
        Files.setPosixFilePermissions(home.directory(), PosixFilePermissions.fromString("rwxr-xr-x"));
        List<String> warnings = List.of(
                "permissions [" + home.directory()
                        + "]: has the mode 755, with which other users can read it; run chmod 750 " + home.directory(),
                "permissions [" + token + "]: has the mode 644, with which other users can read it; run chmod 600 "
                        + token);

        PosternProcess check = home.run("check", "--home", home.directory().toString());
        assertThat(check.out() + check.log()).contains(warnings);
        assertThat(check.awaitExit()).isZero();
        assertThat(home.start().log()).contains(warnings);
    }

    @Test
    void namesTheSecretFileThatThisUserMayNotRead() throws IOException {
        HomeFixture home = homeFixtureExtension.newHome();
        home.file("postern.yaml", "hooks: {enabled: true, token: '${file:secrets/hook-token}'}\n");
        home.file("secrets/hook-token", "a token that nobody here may read\n");
        Path token = home.directory().resolve("secrets/hook-token");
        Files.setPosixFilePermissions(token, Set.of());

        PosternProcess check = home.command(asUserWhoCanNotReadEverything(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-jar",
                PosternProcess.WAR,
                "check",
                "--home",
                home.directory().toString()));

        assertThat(check.awaitExit()).isEqualTo(1);
        assertThat(check.out() + check.log())
                .contains("hooks.token")
                .contains("refers to the file " + token + ", which this process may not read; "
                        + "give the user that runs Postern the right to read it");
    }

    @ParameterizedTest
    @ValueSource(strings = {"token new ci --hooks wake --home HOME", "import openclaw.json --home HOME"})
    void leavesWhatRootSetsUpToTheOwnerOfTheHome(String command) throws Exception {
        assumeTrue(System.getProperty("user.name").equals("root"), "this user can't give a directory away");
        HomeFixture home = homeFixtureExtension.newHome();
        Files.writeString(
                home.top().resolve("openclaw.json"),
                "{\"hooks\": {\"enabled\": true, \"token\": \"the-token-of-openclaw\"}}");
        UserPrincipal owner =
                home.top().getFileSystem().getUserPrincipalLookupService().lookupPrincipalByName("nobody");
        Files.setOwner(Files.createDirectory(home.directory()), owner);

        PosternProcess setUp = home.run(Stream.of(command.split(" "))
                .map(word -> word.equals("HOME") ? home.directory().toString() : word)
                .map(word ->
                        word.equals("openclaw.json") ? home.top().resolve(word).toString() : word)
                .toArray(String[]::new));

        assertThat(setUp.awaitExit()).as(setUp.log()).isZero();
        try (Stream<Path> files = Files.walk(home.directory())) {
            assertThat(files.toList())
                    .contains(home.directory().resolve("postern.yaml"))
                    .allSatisfy(file -> assertThat(Files.getOwner(file)).isEqualTo(owner));
        }
    }

    /** The command without the capability of root to read every file. */
    private static List<String> asUserWhoCanNotReadEverything(String... command) {
        List<String> whole = new ArrayList<>();
        if (System.getProperty("user.name").equals("root")) {
            whole.addAll(List.of("setpriv", "--bounding-set=-dac_override,-dac_read_search"));
        }
        whole.addAll(List.of(command));
        return whole;
    }

    private static List<Path> tooWide(Path home) throws IOException {
        List<Path> found = new ArrayList<>();
        try (Stream<Path> tree = Files.walk(home)) {
            for (Path path : tree.toList()) {
                Set<PosixFilePermission> wider = new HashSet<>(Files.getPosixFilePermissions(path));
                wider.removeAll(Files.isDirectory(path) ? DIRECTORY : FILE);
                if (!wider.isEmpty()) {
                    found.add(path);
                }
            }
        }
        return found;
    }
}
