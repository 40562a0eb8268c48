package dev.postern.config;

import static org.assertj.core.api.Assertions.assertThat;

import dev.postern.model.Secret;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Tests of the precedence of sources, for the home and for single settings, and of their origins in messages. */
class PrecedenceTest {

    @TempDir
    Path home;

    @Test
    void aHomeThatIsAFileIsRefusedWithWhatNamedIt() throws Exception {
        Path file = Files.writeString(home.resolve("file"), "");
        assertThat(given().contextParam("postern.home", file.toString()).problemLines())
                .containsExactly("home [context-param postern.home]: is [" + file + "], which is no directory; name a"
                        + " directory, for example with the environment variable POSTERN_HOME");
    }

    @Test
    void aHomeInJndiThatIsNoTextIsRefused() {
        assertThat(given().jndi("POSTERN_HOME", 5).problems())
                .extracting(problem -> problem.origin().where())
                .containsExactly("JNDI java:comp/env/POSTERN_HOME");
    }

    @Test
    void unresolvedHomeInJndiIsRefused() {
        assertThat(given().unresolvedJndi("POSTERN_HOME", "SQLException").problemLines())
                .containsExactly(
                        "home [JNDI java:comp/env/POSTERN_HOME]: is bound but can't be looked up (SQLException);"
                                + " mend what the server binds there, or remove it; the server's log may say more");
    }

    @Test
    void unresolvedSettingInJndiIsRefused() {
        assertThat(given().file("postern.yaml", ConfigurationFixture.SERVING)
                        .unresolvedJndi("hooks/maxPending", "NameNotFoundException: x")
                        .problemLines())
                .containsExactly(
                        "hooks.maxPending [JNDI java:comp/env/hooks/maxPending]: is bound but can't be looked up"
                                + " (NameNotFoundException: x); mend what the server binds there, or remove it; the server's log"
                                + " may say more");
    }

    @Test
    void unknownNamesBelowSectionsInJndiAreWarnedOf() {
        assertThat(given().file("postern.yaml", ConfigurationFixture.SERVING)
                        .jndi("hooks/maxPendin", "7")
                        .jndi("hooks/maxPending", "8")
                        .jndi("agents/defaults/zzzzzzzz", "x")
                        .jndi("providers/other/apiKey", "x")
                        .jndi("jdbc/postern", "x")
                        .jndi("hook/token", "x")
                        .jndi("another/name", "x")
                        .warnings())
                .containsExactlyInAnyOrder(
                        "hooks.maxPendin [JNDI java:comp/env/hooks/maxPendin]: is no setting of Postern and is passed"
                                + " over. Did you mean hooks.maxPending?",
                        "agents.defaults.zzzzzzzz [JNDI java:comp/env/agents/defaults/zzzzzzzz]: is no setting of Postern"
                                + " and is passed over.",
                        "providers.other [JNDI java:comp/env/providers/other]: is no setting of Postern and is passed"
                                + " over. An id below providers, mcp, channels, senders or budgets has to stand in the file.");
    }

    @Test
    void aNameThatNoPathCanHaveIsRefused() {
        assertThat(given().contextParam("postern.home", "a\0b").problemLines())
                .singleElement()
                .asString()
                .contains("is no path");
    }

    @Test
    void theSmallestScopeNamesTheHome() {
        ConfigurationFixture configurationFixture = given().jndi(
                        "POSTERN_HOME", home.resolve("jndi").toString())
                .contextParam("postern.home", home.resolve("param").toString())
                .property("postern.home", home.resolve("property").toString())
                .variable("POSTERN_HOME", home.resolve("variable").toString());
        assertThat(homeOf(configurationFixture))
                .hasToString(home.resolve("jndi") + " (JNDI java:comp/env/POSTERN_HOME)");
        configurationFixture.jndi("POSTERN_HOME", " ");
        assertThat(homeOf(configurationFixture)).hasToString(home.resolve("param") + " (context-param postern.home)");
        configurationFixture.contextParam("postern.home", "");
        assertThat(homeOf(configurationFixture))
                .hasToString(home.resolve("property") + " (system property postern.home)");
        configurationFixture.property("postern.home", "");
        assertThat(homeOf(configurationFixture))
                .hasToString(home.resolve("variable") + " (environment variable POSTERN_HOME)");
        configurationFixture.withoutVariable("POSTERN_HOME").userHome(home.resolve("p"));
        assertThat(homeOf(configurationFixture)).hasToString(home.resolve("p/.postern") + " (default)");
    }

    @Test
    void aTildeInTheHomesNameIsTheUsersHome() {
        assertThat(homeOf(given().variable("POSTERN_HOME", "~/x").userHome(Path.of("/home/p")))
                        .directory())
                .isEqualTo(Path.of("/home/p/x"));
    }

    @Test
    void jndiWinsOverPropertyOverVariableOverFileOverDefault() {
        ConfigurationFixture configurationFixture = given().jndi("hooks/path", "/jndi")
                .property("postern.hooks.path", "/property")
                .variable("POSTERN_HOOKS_PATH", "/variable");
        assertThat(pathOf(configurationFixture.file("postern.yaml", "hooks: {path: /file}")))
                .isEqualTo("/jndi");
        assertThat(pathOf(configurationFixture.jndi("hooks/path", null)))
                .isEqualTo("/jndi".replace("jndi", "property"));
        assertThat(pathOf(ConfigurationFixture.yaml(home, "hooks: {path: /file}")
                        .variable("POSTERN_HOOKS_PATH", "/variable")))
                .isEqualTo("/variable");
        assertThat(pathOf(given())).isEqualTo("/file");
        assertThat(pathOf(given().file("postern.yaml", "{}"))).isEqualTo("/hooks");
    }

    @ParameterizedTest
    @ValueSource(strings = {"jndi", "property", "variable"})
    void aBadValueFromOutsideIsSaidWithWhereItCameFrom(String source) {
        ConfigurationFixture configurationFixture = given();
        String origin = give(configurationFixture, source, "hooks.maxBodyBytes", "lots");
        assertThat(configurationFixture
                        .file("postern.yaml", "hooks: {maxBodyBytes: 1000}")
                        .problemLines())
                .containsExactly(
                        "hooks.maxBodyBytes [" + origin + "]: is [lots]; write a whole number from 1 to 104857600");
    }

    @ParameterizedTest
    @ValueSource(strings = {"jndi", "property", "variable"})
    void everyTypeCanComeFromOutside(String source) {
        ConfigurationFixture configurationFixture = given();
        give(configurationFixture, source, "hooks.enabled", "true");
        give(configurationFixture, source, "hooks.token", "first-token-of-a-rotation-01, second-token-of-a-rotation-2");
        give(configurationFixture, source, "hooks.maxBodyBytes", "1000");
        give(configurationFixture, source, "hooks.throttle.windowSeconds", "5");
        give(configurationFixture, source, "hooks.idempotencyTtl", "1h");
        give(configurationFixture, source, "hooks.allowedAgentIds", "[\"main\", \"ops\"]");
        give(configurationFixture, source, "hooks.tokenHeaders", "X-Other-Token, x-more");
        give(configurationFixture, source, "agents.defaults.models", "{fast: 'offline/echo'}");
        give(configurationFixture, source, "agents.defaults.model", "fast");
        give(configurationFixture, source, "agents.list", "[{id: 'ops'}, {id: 'dev', default: true}]");
        give(configurationFixture, source, "console", "off");
        give(configurationFixture, source, "metrics", "true");
        give(configurationFixture, source, "database.password", "secret");
        Settings settings = configurationFixture.file("postern.yaml", "{}").settings();
        assertThat(settings.hooks().enabled()).isTrue();
        assertThat(settings.hooks().tokens())
                .extracting(Secret::reveal)
                .containsExactly("first-token-of-a-rotation-01", "second-token-of-a-rotation-2");
        assertThat(settings.hooks().bodies().maxBytes()).isEqualTo(1000);
        assertThat(settings.hooks().throttle().window()).hasSeconds(5);
        assertThat(settings.hooks().idempotencyTtl()).hasHours(1);
        assertThat(settings.hooks().allowedAgentIds()).contains(List.of("main", "ops"));
        assertThat(settings.hooks().tokenHeaders()).containsExactly("x-other-token", "x-more");
        assertThat(settings.agents().defaults().model()).isEqualTo("offline/echo");
        assertThat(settings.agents().defaultAgent().id()).isEqualTo("dev");
        assertThat(settings.console()).isEqualTo(Settings.Access.OFF);
        assertThat(settings.metrics()).isEqualTo(Settings.Access.LOCAL);
    }

    @Test
    void jndiMayHoldNumbersAndBooleans() {
        Settings settings = given().file("postern.yaml", "{}")
                .jndi("hooks/maxPending", 7)
                .jndi("hooks/allowRequestSessionKey", true)
                .settings();
        assertThat(settings.hooks().maxPending()).isEqualTo(7);
        assertThat(settings.hooks().sessionKeys().requestsMayName()).isTrue();
    }

    @Test
    void anythingElseInJndiIsRefused() {
        assertThat(given().jndi("hooks/path", List.of()).problems())
                .extracting(ConfigurationProblem::setting)
                .containsExactly("hooks.path");
    }

    @ParameterizedTest
    @ValueSource(strings = {"jndi", "property", "variable"})
    void anEntryThatTheFileNamesCanBeCompletedFromOutside(String source) {
        ConfigurationFixture configurationFixture = given();
        give(configurationFixture, source, "providers.my-llm.apiKey", "key");
        give(configurationFixture, source, "providers.my-llm.kind", "openai");
        give(configurationFixture, source, "channels.slack.botToken", "xoxb");
        give(configurationFixture, source, "mcp.tools.headers", "{Authorization: 'Bearer x'}");
        Settings settings = configurationFixture
                .file(
                        "postern.yaml",
                        """
                        agents: {defaults: {model: my-llm/x}}
                        providers: {my-llm: }
                        channels: {slack: {}}
                        mcp: {tools: {url: 'https://tools.example'}}
                        """)
                .settings();
        assertThat(settings.providers().get("my-llm").apiKey()).isEqualTo(new Secret("key"));
        assertThat(settings.channels().get("slack").secrets()).containsEntry("botToken", new Secret("xoxb"));
        assertThat(settings.mcp().get("tools").headers()).containsEntry("Authorization", new Secret("Bearer x"));
    }

    @Test
    void twoIdsThatShareAVariableAreRefusedOnceItIsSet() {
        ConfigurationFixture configurationFixture =
                ConfigurationFixture.yaml(home, "channels: {a.b: {kind: slack}, a-b: {kind: slack}}");
        assertThat(configurationFixture
                        .variable("POSTERN_CHANNELS_A_B_BOTTOKEN", "x")
                        .problemLines())
                .anySatisfy(line -> assertThat(line)
                        .startsWith("channels.a-b.botToken [environment variable POSTERN_CHANNELS_A_B_BOTTOKEN]")
                        .contains("is the name of channels.a.b.botToken too"));
    }

    @ParameterizedTest
    @CsvSource({
        "POSTERN_HOOKS_ALLOWEDAGENTSIDS, POSTERN_HOOKS_ALLOWEDAGENTIDS",
        "POSTERN_HOOKS_TOKN, POSTERN_HOOKS_TOKEN",
        "POSTERN_HOOKS_allowedAgents, POSTERN_HOOKS_ALLOWEDAGENTIDS",
        "POSTERN_AGENTS_LIST_0_ID, POSTERN_AGENTS_LIST",
        "POSTERN_DATABASE, POSTERN_DATABASE_URL",
        "POSTERN_PROVIDERS_LLM_APIKY, POSTERN_PROVIDERS_LLM_APIKEY",
        "POSTERN_HOOK_TOKEN, POSTERN_HOOKS_TOKEN",
        "POSTERN_METRIC, POSTERN_METRICS",
        "POSTERN_HOM, POSTERN_HOME",
        "postern.hooks.allowedagentids, postern.hooks.allowedAgentIds",
        "postern.hooks.pth, postern.hooks.path",
        "postern.consol, postern.console",
    })
    void aNameFromOutsideThatIsNoSettingIsRefusedWhereItWasMeantForUs(String name, String meant) {
        ConfigurationFixture configurationFixture = ConfigurationFixture.yaml(
                home, "providers: {llm: {kind: offline}}\nagents: {defaults: {model: llm/x}}");
        boolean property = name.startsWith("postern.");
        if (property) {
            configurationFixture.property(name, "s3cret-value");
        } else {
            configurationFixture.variable(name, "s3cret-value");
        }
        String place = property ? "system property " : "environment variable ";
        assertThat(configurationFixture.problemLines())
                .containsExactly(
                        name + " [" + place + name + "]: is no setting of Postern; did you mean " + meant + "?");
    }

    @ParameterizedTest
    @CsvSource({
        "POSTERN_VERSION, 1.2, ''",
        "POSTERN_HOST, postern, ''",
        "POSTERN_PORT, 9090, ''",
        "POSTERN_METRICSERVER, x, ''",
        "POSTERN_TOKEN, s3cret-value, ' Did you mean POSTERN_HOOKS_TOKEN?'",
        "postern.version, 1.2, ''",
    })
    void foreignNameFromOutsideIsAWarning(String name, String value, String hint) {
        ConfigurationFixture configurationFixture = ConfigurationFixture.yaml(home, "{}");
        if (name.startsWith("postern.")) {
            configurationFixture.property(name, value);
        } else {
            configurationFixture.variable(name, value);
        }
        assertThat(configurationFixture.warnings())
                .singleElement()
                .asString()
                .startsWith(name + " [")
                .endsWith("is no setting of Postern and is passed over." + hint)
                .doesNotContain("s3cret");
    }

    @Test
    void aSettingOfAnEntryThatTheFileLacksIsAWarning() {
        assertThat(ConfigurationFixture.yaml(home, "{}")
                        .variable("POSTERN_PROVIDERS_OPENAI_APIKEY", "s3cret-value")
                        .property("postern.channels.team.chat.botToken", "s3cret-value")
                        .warnings())
                .hasSize(2)
                .allMatch(line -> line.endsWith("has to stand in the file."));
    }

    @Test
    void aVariableThatTheFileRefersToIsTheOperatorsOwn() {
        ConfigurationFixture configurationFixture = ConfigurationFixture.yaml(
                        home, "hooks: {enabled: true, token: '${env:POSTERN_HOOK_TOKEN}'}")
                .variable("POSTERN_HOOK_TOKEN", ConfigurationFixture.TOKEN);
        assertThat(configurationFixture.settings().hooks().tokens())
                .containsExactly(new Secret(ConfigurationFixture.TOKEN));
        assertThat(configurationFixture.warnings()).isEmpty();
    }

    @ParameterizedTest
    @ValueSource(strings = {"POSTERN", "POSTERN_HOOKS", "POSTERN_DATABASE"})
    void whatKubernetesSetsBesideAServiceIsNoUnknownSetting(String service) {
        assertThat(ConfigurationFixture.yaml(home, "{}")
                        .variable(service + "_SERVICE_HOST", "10.0.0.1")
                        .variable(service + "_SERVICE_PORT_HTTP", "80")
                        .variable(service + "_PORT", "tcp://10.0.0.1:80")
                        .variable(service + "_PORT_80_TCP", "tcp://10.0.0.1:80")
                        .variable(service + "_PORT_80_TCP_ADDR", "10.0.0.1")
                        .warnings())
                .isEmpty();
    }

    @Test
    void anUnknownVariableThatIsEmptyIsNotSet() {
        assertThat(ConfigurationFixture.yaml(home, "{}")
                        .variable("POSTERN_HOOKS_TOKN", "")
                        .warnings())
                .isEmpty();
    }

    @Test
    void anEmptyVariableIsPassedOverWithAWarning() {
        ConfigurationFixture configurationFixture =
                ConfigurationFixture.yaml(home, "hooks: {path: /file}").variable("POSTERN_HOOKS_PATH", " ");
        assertThat(pathOf(configurationFixture)).isEqualTo("/file");
        assertThat(configurationFixture.warnings()).singleElement().asString().contains("is empty and passed over");
    }

    private static String give(ConfigurationFixture configurationFixture, String source, String path, String value) {
        switch (source) {
            case "jndi" -> configurationFixture.jndi(path.replace('.', '/'), value);
            case "property" -> configurationFixture.property("postern." + path, value);
            default -> configurationFixture.variable(variable(path), value);
        }
        return switch (source) {
            case "jndi" -> "JNDI java:comp/env/" + path.replace('.', '/');
            case "property" -> "system property postern." + path;
            default -> "environment variable " + variable(path);
        };
    }

    private static String variable(String path) {
        return "POSTERN_" + path.toUpperCase(java.util.Locale.ROOT).replaceAll("[.-]", "_");
    }

    private static String pathOf(ConfigurationFixture configurationFixture) {
        return configurationFixture.settings().hooks().path();
    }

    private static HomeDirectory homeOf(ConfigurationFixture configurationFixture) {
        return ((ConfigurationResult.Configured) configurationFixture.check()).home();
    }

    private ConfigurationFixture given() {
        return ConfigurationFixture.home(home);
    }
}
