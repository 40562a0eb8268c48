package dev.postern.it.standalone;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Files;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** A test of {@code token new}, and of {@code explain} for a sender. */
class TokenCommandIT {

    @RegisterExtension
    final HomeFixtureExtension homeFixtureExtension = HomeFixtureExtension.ofTest();

    @Test
    void changesNothingWhereAnOptionIsWrong() throws Exception {
        HomeFixture home = homeFixtureExtension.newHome().settings(HomeFixture.hooks());

        PosternProcess ended = token(home, "ci", "--hooks", "wake", "--rate", "fast");

        assertThat(ended.awaitExit()).isEqualTo(1);
        assertThat(ended.out()).isEmpty();
        assertThat(ended.log()).contains("problem: senders.ci.rate [--rate]: is [fast]", "Nothing was changed.");
        assertThat(home.directory().resolve("senders.yaml")).doesNotExist();
    }

    @Test
    void namesTheFileAndTheReasonWhereItCanNotWrite() throws Exception {
        HomeFixture home = homeFixtureExtension.newHome().settings(HomeFixture.hooks());
        Files.createDirectories(home.directory().resolve("data/senders.lock"));

        PosternProcess ended = token(home, "ci", "--hooks", "wake");

        assertThat(ended.awaitExit()).isEqualTo(1);
        assertThat(ended.out()).isEmpty();
        assertThat(ended.log())
                .isEqualTo("postern: " + home.directory().resolve("senders.yaml")
                        + " can't be written: Is a directory. Nothing was changed.\n");
    }

    @Test
    void keepsEachOfTheTokensThatAreMadeAtOnce() throws Exception {
        HomeFixture home = homeFixtureExtension.newHome();
        List<PosternProcess> commands = Stream.of("a", "b", "c", "d")
                .map(id -> home.launched(
                        "token",
                        "new",
                        id,
                        "--hooks",
                        "wake",
                        "--home",
                        home.directory().toString()))
                .toList();

        assertThat(commands)
                .allSatisfy(command ->
                        assertThat(command.awaitExit()).as(command.log()).isZero());

        PosternProcess postern = home.start();
        for (PosternProcess command : commands) {
            HookSender sender = new HookSender(
                    postern.base().resolve("/hooks/"), command.out().strip());
            assertThat(sender.post("wake", "{\"text\":\"a\"}").status()).isEqualTo(200);
        }
    }

    @Test
    void opensTheHooksOfTheSenderWithBothTokens() throws Exception {
        HomeFixture home = homeFixtureExtension.newHome().settings(HomeFixture.hooks());
        PosternProcess first = token(home, "ci", "--hooks", "wake,gh/*");
        assertThat(first.awaitExit()).isZero();
        PosternProcess second = token(home, "ci");
        assertThat(second.awaitExit()).isZero();
        assertThat(second.log()).contains("beside its earlier one");
        String file = home.read("senders.yaml");
        assertThat(PosixFilePermissions.toString(
                        Files.getPosixFilePermissions(home.directory().resolve("senders.yaml"))))
                .isEqualTo("rw-------");

        PosternProcess postern = home.start().awaitReady();

        for (PosternProcess each : new PosternProcess[] {first, second}) {
            String token = each.out().strip();
            assertThat(token).matches("pst_[0-9A-Za-z]{49}");
            assertThat(file).doesNotContain(token);
            assertThat(each.log()).doesNotContain(token).doesNotContain("Exception");
            HookSender sender = new HookSender(postern.base().resolve("/hooks/"), token);
            assertThat(sender.post("wake", "{\"text\":\"a\"}").status()).isEqualTo(200);
            assertThat(sender.post("agent", "{\"message\":\"a\"}").status()).isEqualTo(403);
            assertThat(postern.log()).doesNotContain(token);
        }
    }

    @Test
    void explainsWhatTheSenderMayNotDo() throws Exception {
        HomeFixture home = homeFixtureExtension
                .newHome()
                .settings(
                        HomeFixture.hooks(),
                        "senders: {ci: {token: a-token-of-ci-alone-0123456, hooks: [agent], models: [offline/other]}}")
                .file("agent.json", "{\"message\":\"a\"}");

        PosternProcess ended = explain(home, "agent", "ci");
        assertThat(ended.awaitExit()).isEqualTo(1);
        assertThat(ended.out()).contains("\"not_allowed\"", "\"model\"");
        PosternProcess other = explain(home, "wake", "ci");
        assertThat(other.awaitExit()).isEqualTo(1);
        assertThat(other.out()).contains("\"not_allowed\"", "\"hook\"");
        PosternProcess unknown = explain(home, "agent", "lab");
        assertThat(unknown.awaitExit()).isEqualTo(1);
        assertThat(unknown.log()).contains("problem: there is no sender lab");
    }

    private static PosternProcess explain(HomeFixture home, String hook, String sender) {
        String file = home.directory().resolve("agent.json").toString();
        return home.run(
                "explain",
                hook,
                file,
                "--sender",
                sender,
                "--home",
                home.directory().toString());
    }

    private static PosternProcess token(HomeFixture home, String... arguments) {
        String[] all = new String[arguments.length + 4];
        all[0] = "token";
        all[1] = "new";
        System.arraycopy(arguments, 0, all, 2, arguments.length);
        all[all.length - 2] = "--home";
        all[all.length - 1] = home.directory().toString();
        return home.run(all);
    }
}
