package dev.postern.it.standalone;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** A test of settings from each source, and of what the defaults allow. */
class SettingsIT {

    @RegisterExtension
    final HomeFixtureExtension homeFixtureExtension = HomeFixtureExtension.ofTest();

    @Test
    void deniesASessionKeyAndEveryAgentWhereThatIsWhatTheSettingsSay() throws Exception {
        HomeFixture home = homeFixtureExtension
                .newHome()
                .file(
                        "postern.json5",
                        """
                        { // what other systems write
                          hooks: {
                            enabled: true,
                            token: '${env:IT_HOOK_TOKEN}',
                            allowedAgentIds: [],
                          },
                        }
                        """)
                .environment("IT_HOOK_TOKEN", HomeFixture.TOKEN);
        PosternProcess postern = home.start();
        HookSender sender = postern.sender();

        PosternResponse key = sender.post("agent", "{\"message\":\"hello\",\"sessionKey\":\"hook:mine\"}");
        assertThat(key.status()).isEqualTo(400);
        assertThat(key.text("code")).isEqualTo("session_key_disabled");
        PosternResponse agent = sender.post("agent", "{\"message\":\"hello\",\"agentId\":\"main\"}");
        assertThat(agent.status()).isEqualTo(400);
        assertThat(agent.text("code")).isEqualTo("agent_not_allowed");
        assertThat(sender.post("agent", "{\"message\":\"hello\"}").text("sessionKey"))
                .matches("hook:[0-9a-f-]{36}");
        assertThat(postern.log() + postern.out()).doesNotContain(HomeFixture.TOKEN);
    }

    @Test
    void takesTheEnvironmentBeforeTheFileAndTheTokenFromAFile() throws Exception {
        HomeFixture home = homeFixtureExtension
                .newHome()
                .file("secrets/token", HomeFixture.TOKEN + "\n")
                .file(
                        "postern.json",
                        "{\"hooks\": {\"enabled\": true, \"path\": \"/ignored\", \"token\": \"${file:secrets/token}\"}}")
                .environment("POSTERN_HOOKS_PATH", "/gate/in")
                .environment("POSTERN_HOOKS_MAXBODYBYTES", "100")
                .environment("POSTERN_VERSION", "of the image");
        PosternProcess postern = home.start();
        HookSender sender = new HookSender(postern.base().resolve("/gate/in/"), HomeFixture.TOKEN);

        assertThat(postern.out()).contains("/gate/in (home ");
        assertThat(sender.post("wake", "{\"text\":\"hello\"}").status()).isEqualTo(200);
        assertThat(sender.post("wake", "{\"text\":\"" + "x".repeat(100) + "\"}").status())
                .isEqualTo(413);
        assertThat(postern.sender().post("wake", "{\"text\":\"hello\"}").status())
                .isEqualTo(404);
        assertThat(postern.log()).contains("POSTERN_VERSION").doesNotContain("of the image");
    }

    @Test
    void refusesAMisspeltSettingFromTheEnvironment() throws Exception {
        HomeFixture home = homeFixtureExtension
                .newHome()
                .settings(HomeFixture.hooks())
                .environment("POSTERN_HOOKS_ALLOWEDAGENTSIDS", "main");

        PosternProcess ended = home.serve("--port", "0");

        assertThat(ended.awaitExit()).isEqualTo(1);
        assertThat(ended.log().lines())
                .singleElement()
                .asString()
                .startsWith("postern: POSTERN_HOOKS_ALLOWEDAGENTSIDS ")
                .endsWith("did you mean POSTERN_HOOKS_ALLOWEDAGENTIDS?");
    }

    @Test
    void findsOneHomeForTheProgramAndWhatIsUnpackedOfIt() throws Exception {
        HomeFixture home = homeFixtureExtension.newHome().environment("POSTERN_HOME", "~/home");

        PosternProcess postern = home.startByItself("-Dpostern.home= ");

        assertThat(postern.out()).contains("(home " + home.directory() + ")");
        assertThat(home.directory().resolve("work")).isDirectory();
        assertThat(home.top().resolve("~")).doesNotExist();
        assertThat(postern.stop()).isZero();
    }
}
