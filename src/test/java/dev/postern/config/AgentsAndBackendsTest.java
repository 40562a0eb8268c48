package dev.postern.config;

import static org.assertj.core.api.Assertions.assertThat;

import dev.postern.model.Recipient;
import java.net.URI;
import java.nio.file.Path;
import java.time.Duration;
import java.time.LocalTime;
import java.time.ZoneId;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Tests of agents, models, providers, channels and tool servers. */
class AgentsAndBackendsTest {

    @TempDir
    Path home;

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "{slack: {}}|channels.slack.botToken",
                "{slack: }|channels.slack.botToken",
                "{team: {kind: slack}}|channels.team.botToken",
                "{telegram: {botToken: ''}}|channels.telegram.botToken",
                "{discord: {textLimit: 2000}}|channels.discord.botToken",
                "{mattermost: {botToken: x}}|channels.mattermost.baseUrl",
                "{whatsapp: {accessToken: x}}|channels.whatsapp.phoneNumberId",
                "{signal: {account: '+49'}}|channels.signal.baseUrl",
                "{imessage: {baseUrl: 'http://bb'}}|channels.imessage.password",
                "{msteams: {}}|channels.msteams.webhookUrl",
                "{msteams: {appId: x, appPassword: y}}|channels.msteams.tenantId",
                "{github: {allowMentions: true}}|channels.github.token",
                "{github: {appId: x, installationId: y}}|channels.github.privateKey",
                "{github: {appId: x, installationId: y, privateKey: z}}|channels.github.privateKey",
                "{github: {token: x, baseUrl: github.example}}|channels.github.baseUrl",
                "{gitlab: {baseUrl: 'https://gitlab.example/api/v4'}}|channels.gitlab.token",
                "{jira: {token: x, baseUrl: 'https://x.example'}}|channels.jira.email",
                "{linear: {}}|channels.linear.apiKey",
                "{pagerduty: {apiKey: x}}|channels.pagerduty.from",
                "{sentry: {allowMentions: true}}|channels.sentry.token",
                "{mail: {host: x.example, account: a@x.example, allow: ['@x.example']}}|channels.mail.password",
                "{mail: {host: x.example, account: a@x.example, password: p}}|channels.mail.allow",
                "{mail: {host: x.example, account: ann, password: p, allow: ['@x.example']}}|channels.mail.from",
                "{mail: {host: x.example, account: a@x.example, password: p, allow: [x.example]}}|channels.mail.allow",
                "{mail: {host: x.example, account: a.@x.example, password: p, allow: ['@x.example']}}|channels.mail.from",
                "{mail: {host: x.example, account: a@x.example, password: p, allow: ['@x..example']}}|channels.mail.allow",
                "{mail: {host: x.example, account: a@x.example, password: p, allow: ['Ann <a@x.example>']}}|channels.mail.allow",
                "{mail: {host: x.example, account: a@x.example, password: p, allow: ['@x.example'], security: some}}|channels.mail.security",
                "{mail: {host: x.example, account: a@x.example, password: p, allow: ['@x.example'], caFile: absent.pem}}|channels.mail.caFile",
                "{webhook: {url: 'https://x.example'}}|channels.webhook.secret",
                "{webhook: {url: 'ftp://x.example', secret: whsec_c2VjcmV0}}|channels.webhook.url",
                "{webhook: {url: 'https://u:p@x.example', secret: c2VjcmV0}}|channels.webhook.url",
                "{webhook: {url: 'https://x.example', secret: 'no base64'}}|channels.webhook.secret",
                "{webhook: {url: 'https://x.example', secret: whsec_}}|channels.webhook.secret",
                "{webhook: {url: 'https://x.example', secret: c2VjcmV0, allowPrivateAddresses: perhaps}}|channels.webhook.allowPrivateAddresses",
                "{carrier: {botToken: x}}|channels.carrier.kind",
                "{team: {kind: slak}}|channels.team.kind",
                "{team: {kind: [slack]}}|channels.team.kind",
                "{'my team': {kind: slack, botToken: x}}|channels.my team",
                "{inbox: {kind: slack, botToken: x}}|channels.inbox.kind",
                "{last: {kind: slack, botToken: x}}|channels.last.kind",
                "{discord: {kind: slack, botToken: x}}|channels.discord.kind",
                "{slack: {botToken: x, textLimit: 1}}|channels.slack.textLimit",
                "{slack: {botToken: x, accessToken: y}}|channels.slack.accessToken"
            })
    void aChannelThatCanNotWorkIsRefused(String channels, String setting) {
        assertThat(yaml("channels: " + channels).problems())
                .extracting(ConfigurationProblem::setting)
                .containsExactly(setting);
    }

    @Test
    void aPrivateKeyIsReadFromTheFileAsItCame() {
        String key = "-----BEGIN RSA PRIVATE KEY-----\nMIIB\n-----END RSA PRIVATE KEY-----\n";
        Settings.Channel channel = ConfigurationFixture.home(home)
                .file("secrets/github-app.pem", key)
                .file(
                        "postern.yaml",
                        "channels: {github: {appId: x, installationId: y, privateKey: '${file:secrets/github-app.pem}'}}")
                .configured()
                .settings()
                .channels()
                .get("github");

        assertThat(channel.secrets().get("privateKey").reveal()).isEqualTo(key.strip());
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "{model: deep/x, thinking: ulra}|agents.defaults.thinking|did you mean ultra?",
                "{model: plain/x, thinking: ultra}|agents.defaults.thinking|is [ultra], which is no level of plain/x",
                "{model: deep/x, thinking: 'very much'}|agents.defaults.thinking|one of off, minimal, low"
            })
    void aLevelOfThinkingThatTheModelDoesNotKnowIsRefused(String defaults, String setting, String text) {
        assertThat(levels(defaults, "{id: main}").problems())
                .singleElement()
                .satisfies(problem ->
                        assertThat(problem.toString()).startsWith(setting).contains(text));
    }

    @Test
    void anAgentInheritsALevelOfThinkingWhereItsModelKnowsIt() {
        List<AgentSettings.Agent> agents = levels(
                        "{model: deep/x, thinking: ultra}",
                        "{id: a, default: true}, {id: b, model: plain/x}, {id: c, model: plain/x, thinking: high}")
                .settings()
                .agents()
                .list();

        assertThat(agents).extracting(AgentSettings.Agent::thinking).containsExactly("ultra", null, "high");
    }

    @Test
    void aMappingMayNameTheLevelsOfAnyProvider() {
        String mappings =
                """
                hooks: {mappings: [{match: {path: a}, template: x, thinking: %s}]}
                providers: {deep: {kind: command, command: [x], thinkingLevels: [ultra]}}
                agents: {defaults: {model: deep/x}}
                """;

        assertThat(yaml(mappings.formatted("ultra")).settings().hooks().mappings())
                .hasSize(1);
        assertThat(yaml(mappings.formatted("utlra")).problemLines())
                .singleElement()
                .asString()
                .startsWith("hooks.mappings[0].thinking [")
                .contains("did you mean ultra?");
    }

    private ConfigurationFixture levels(String defaults, String agents) {
        return yaml("providers:\n  deep: {kind: command, command: [x], thinkingLevels: [ultra, high]}\n"
                + "  plain: {kind: command, command: [x]}\n"
                + "agents: {defaults: " + defaults + ", list: [" + agents + "]}");
    }

    @Test
    void anUnknownKindIsRefusedWithTheNearestOne() {
        assertThat(yaml("channels:\n  team:\n    kind: slak\n").problemLines())
                .singleElement()
                .asString()
                .contains("is [slak]; did you mean slack?");
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "{openai: {}}|providers.openai.apiKey",
                "{fast: {kind: anthropic}}|providers.fast.apiKey",
                "{gemini: {apiKey: ' '}}|providers.gemini.apiKey",
                "{fast: {apiKey: x}}|providers.fast.kind",
                "{fast: {kind: opnai, apiKey: x}}|providers.fast.kind",
                "{command: {}}|providers.command.command",
                "{command: {command: []}}|providers.command.command",
                "{command: {command: run.sh}}|providers.command.command",
                "{ollama: {baseUrl: 'localhost:11434'}}|providers.ollama.baseUrl",
                "{offline: {kind: openai, apiKey: x}}|providers.offline.kind",
                "{ollama: {baseUrl: 'http://localhost:11434/?key=x'}}|providers.ollama.baseUrl",
                "{ollama: {baseUrl: 'http://localhost:11434/#x'}}|providers.ollama.baseUrl",
                "{ollama: {baseUrl: 'http://me:x@localhost:11434'}}|providers.ollama.baseUrl",
                "{ollama: {command: [x]}}|providers.ollama.command",
                "{ollama: {contextTokens: many}}|providers.ollama.contextTokens",
                "{gemini: {apiKey: x, contextTokens: 4096}}|providers.gemini.contextTokens",
                "{anthropic: {apiKey: x, maxTokens: 0}}|providers.anthropic.maxTokens",
                "{command: {command: [x], maxTokens: 10}}|providers.command.maxTokens",
                "{command: {command: [x], env: [A=b]}}|providers.command.env",
                "{command: {command: [x], env: {'A=B': c}}}|providers.command.env",
                "{command: {command: [x], env: {A: '${env:NOT_SET}'}}}|providers.command.env",
                "{command: {command: [x], env: {POSTERN_RUN_ID: run_1}}}|providers.command.env",
                "{command: {command: [x], env: {POSTERN_TURN: run_1}}}|providers.command.env",
                "{command: {command: [x], env: {POSTERN_THINKING: high}}}|providers.command.env",
                "{ollama: {env: {A: b}}}|providers.ollama.env"
            })
    void aProviderThatCanNotWorkIsRefused(String providers, String setting) {
        assertThat(yaml("providers: " + providers + "\nagents: {defaults: {model: offline/echo}}")
                        .problems())
                .extracting(ConfigurationProblem::setting)
                .containsExactly(setting);
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "{tools: {}}|mcp.tools.command",
                "{tools: {command: [x], url: 'http://x'}}|mcp.tools.command",
                "{tools: {url: 'x'}}|mcp.tools.url",
                "{tools: {url: 'http://x', env: {A: b}}}|mcp.tools.env",
                "{tools: {command: [x], headers: {A: b}}}|mcp.tools.headers",
                "{tools: {command: [x], timeoutSeconds: 0}}|mcp.tools.timeoutSeconds",
                "{tools: {url: 'http://x', headers: [a]}}|mcp.tools.headers",
                "{tools: {url: 'http://x', headers: {'': a}}}|mcp.tools.headers",
                "{tools: {url: 'http://x', headers: {'a b': a}}}|mcp.tools.headers",
                "{tools: {url: 'http://x', headers: {'a:': a}}}|mcp.tools.headers",
                "{tools: {url: 'http://x', headers: {ä: a}}}|mcp.tools.headers",
                "{tools: {url: 'http://x', headers: {A: ä}}}|mcp.tools.headers",
                "{tools: {url: 'http://x', headers: {A: \"a\\tb\"}}}|mcp.tools.headers",
                "{tools: {command: [x], env: {'': b}}}|mcp.tools.env",
                "{tools: {command: [x], env: {POSTERN_TOOL_SERVER: b}}}|mcp.tools.env",
                "{tools: {command: [x], env: {'A=B': c}}}|mcp.tools.env",
                "{tools: {command: [x], env: {\"A\\0\": b}}}|mcp.tools.env"
            })
    void aToolServerThatCanNotWorkIsRefused(String mcp, String setting) {
        assertThat(yaml("mcp: " + mcp).problems())
                .extracting(ConfigurationProblem::setting)
                .containsExactly(setting);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "Host",
                "connection",
                "Content-Length",
                "EXPECT",
                "Upgrade",
                "Transfer-Encoding",
                "Content-Type",
                "accept",
                "Mcp-Session-Id",
                "MCP-Protocol-Version"
            })
    void aHeaderThatTheProtocolSetsItselfIsRefused(String name) {
        assertThat(yaml("mcp:\n  tools:\n    url: http://x\n    headers: {X-Key: a, " + name + ": b}\n")
                        .problemLines())
                .containsExactly("mcp.tools.headers [" + home + "/postern.yaml:4:25]: has an entry [" + name
                        + "], which Postern sets itself; leave it out");
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "defaults: {model: openai/gpt}|agents.defaults.model",
                "defaults: {model: echo}|agents.defaults.model",
                "defaults: {model: offline/echo, models: [offline/other]}|agents.defaults.model",
                "defaults: {models: [offline/other]}|agents.defaults.model",
                "defaults: {model: quick, models: {fast: offline/echo}}|agents.defaults.model",
                "list: [{id: a, model: offline/x, models: [offline/y]}]|agents.list[0].model",
                "list: [{id: a, models: [offline/y]}]|agents.list[0].model",
                "list: [{id: a}, {id: a}]|agents.list[1].id",
                "list: [{id: a, default: true}, {id: b, default: true}]|agents.list[1].default",
                "list: [{id: a, tools: {mcp: [search]}}]|agents.list[0].tools.mcp",
                "list: [{id: a, tools: {allow: [search/find]}}]|agents.list[0].tools.allow",
                "list: [{id: a, tools: {maxCalls: 0}}]|agents.list[0].tools.maxCalls",
                "list: [{id: a, tools: {approve: [search/find]}}]|agents.list[0].tools.approve",
                "list: [{id: a, tools: {approveWithin: 59s}}]|agents.list[0].tools.approveWithin",
                "list: [{id: a, tools: {approveWithin: 8d}}]|agents.list[0].tools.approveWithin",
                "list: [{id: a, tools: {askChannel: slack}}]|agents.list[0].tools.askChannel",
                "list: [{id: a, tools: {askTo: C1}}]|agents.list[0].tools.askTo",
                "list: [{id: a, heartbeat: {target: slack}}]|agents.list[0].heartbeat.target",
                "defaults: {heartbeat: {target: slack}}|agents.defaults.heartbeat.target",
                "defaults: {heartbeat: {activeHours: {start: 08:00}}}|agents.defaults.heartbeat.activeHours.end",
                "defaults: {heartbeat: {activeHours: {start: 08:00, end: 08:00}}}|agents.defaults.heartbeat.activeHours.end",
                "defaults: {heartbeat: {activeHours: {start: 8, end: 9:00}}}|agents.defaults.heartbeat.activeHours.start",
                "defaults: {heartbeat: {activeHours: {start: 8:00, end: 9:00, timezone: Mars/Base}}}"
                        + "|agents.defaults.heartbeat.activeHours.timezone"
            })
    void agentsThatCanNotWorkAreRefused(String agents, String setting) {
        assertThat(yaml("agents: {" + agents + "}").problems())
                .extracting(ConfigurationProblem::setting)
                .containsExactly(setting);
    }

    @Test
    void callsThatNeedApprovalAreNamedWithThoseWhoAreAsked() {
        AgentSettings.Tools tools =
                yaml("mcp: {lab: {url: 'http://x'}}\nchannels: {ops: {kind: webhook, url: 'http://x', secret: whsec_c2VjcmV0c2VjcmV0c2VjcmV0}}\n"
                                + "agents: {list: [{id: a, tools: {mcp: [lab], approve: [lab/run, stop],"
                                + " approveWithin: 2h, askChannel: ops}}]}")
                        .settings()
                        .agents()
                        .list()
                        .get(0)
                        .tools();

        assertThat(tools.approval())
                .isEqualTo(new AgentSettings.Approval(
                        List.of("lab/run", "stop"), Duration.ofHours(2), new Recipient("ops", null)));
    }

    @Test
    void callsThatNobodyCanApproveAreTold() {
        String agents = "agents: {list: [{id: a, tools: {approve: [run]}}]}\n";

        assertThat(yaml(agents + "console: off").warnings())
                .singleElement()
                .asString()
                .startsWith("agents.list[0].tools.approve [")
                .contains("waits for nobody while console is off");
        assertThat(yaml(agents).warnings()).isEmpty();
    }

    @Test
    void callsOfAMappingThatNobodyCanApproveAreTold() {
        String mapping =
                "hooks: {mappings: [{id: build, match: {path: build}, messageTemplate: Look., approve: [run]}]}\n";

        assertThat(yaml(mapping + "console: off").warnings())
                .singleElement()
                .asString()
                .startsWith("hooks.mappings[0].approve [")
                .contains("waits for nobody while console is off");
        assertThat(yaml(mapping).warnings()).isEmpty();
    }

    @Test
    void eachFurtherDefaultAgentIsNamed() {
        String three = "{id: a, default: true}, {id: b, default: true}, {id: c, default: true}";
        assertThat(yaml("agents: {list: [" + three + "]}").problems())
                .extracting(ConfigurationProblem::setting)
                .containsExactly("agents.list[1].default", "agents.list[2].default");
    }

    @Test
    void aModelHasToBeChosenOnceAProviderIsConfigured() {
        assertThat(yaml("providers: {ollama: {}}").problems())
                .extracting(ConfigurationProblem::setting)
                .containsExactly("agents.defaults.model");
    }

    @Test
    void withoutAListThereIsOneAgentOnTheOfflineModel() {
        Settings settings = yaml("hooks: {enabled: false}").settings();
        assertThat(settings.agents().list()).singleElement().satisfies(agent -> {
            assertThat(agent.id()).isEqualTo("main");
            assertThat(agent.isDefault()).isTrue();
            assertThat(agent.workspace()).isEqualTo(home.resolve("agents/main"));
            assertThat(agent.model()).isEqualTo("offline/echo");
        });
        assertThat(settings.providers()).containsOnlyKeys("offline");
        assertThat(settings.agents().defaults().models()).isEmpty();
    }

    @Test
    void theSummaryHasTheModelOfEachAgent() {
        assertThat(yaml("providers: {ollama: {}}\nagents: {list: [{id: main, model: ollama/small}, {id: night, model:"
                                + " offline/echo}]}")
                        .configured()
                        .summary())
                .contains(", agents main (ollama/small), night (offline/echo), channels inbox,")
                .doesNotContain(", model ");
    }

    @Test
    void anAgentHasWhatItLeavesOutFromTheDefaults() {
        AgentSettings agents =
                yaml("""
                        mcp: {search: {command: [search-server]}}
                        channels: {slack: {botToken: x}}
                        agents:
                          defaults:
                            model: fast
                            models: {fast: offline/one, slow: offline/two}
                            thinking: off
                            heartbeat: {every: 1h, target: slack, to: C1}
                          list:
                            - id: ops
                            - id: dev
                              default: yes
                              workspace: ~/dev
                              model: slow
                              thinking: high
                              tools: {mcp: [search]}
                              heartbeat: {target: inbox, activeHours: {start: 22:00, end: 06:00, timezone: UTC}}
                        """)
                        .userHome(Path.of("/home/p"))
                        .settings()
                        .agents();
        AgentSettings.Agent ops = agents.resolve("ops");
        AgentSettings.Agent dev = agents.resolve("dev");
        assertThat(agents.defaultAgent()).isEqualTo(dev);
        assertThat(agents.resolve("nobody")).isEqualTo(dev);
        assertThat(ops.model()).isEqualTo("offline/one");
        assertThat(ops.thinking()).isEqualTo("off");
        assertThat(ops.workspace()).isEqualTo(home.resolve("agents/ops"));
        assertThat(ops.heartbeat()).isEqualTo(new AgentSettings.Heartbeat(Duration.ofHours(1), "slack", "C1", null));
        assertThat(dev.model()).isEqualTo("offline/two");
        assertThat(dev.workspace()).isEqualTo(Path.of("/home/p/dev"));
        assertThat(dev.tools().mcp()).containsExactly("search");
        assertThat(dev.heartbeat())
                .isEqualTo(new AgentSettings.Heartbeat(
                        Duration.ofHours(1),
                        "inbox",
                        null,
                        new AgentSettings.ActiveHours(LocalTime.of(22, 0), LocalTime.of(6, 0), ZoneId.of("UTC"))));
    }

    @ParameterizedTest
    @CsvSource({"30m, 1800", "90s, 90", "1h30m, 5400", "0, 0", "off, 0", "1d, 86400"})
    void aHeartbeatIntervalIsADurationOrOff(String every, long seconds) {
        assertThat(yaml("agents: {defaults: {heartbeat: {every: " + every + "}}}")
                        .settings()
                        .agents()
                        .defaultAgent()
                        .heartbeat()
                        .every())
                .isEqualTo(Duration.ofSeconds(seconds));
    }

    @Test
    void activeHoursWithoutATimezoneAreTheServersAndMayEndAtMidnight() {
        assertThat(yaml("agents: {defaults: {heartbeat: {activeHours: {start: 08:00, end: 24:00}}}}")
                        .settings()
                        .agents()
                        .defaultAgent()
                        .heartbeat()
                        .activeHours())
                .isEqualTo(new AgentSettings.ActiveHours(
                        LocalTime.of(8, 0), LocalTime.MIDNIGHT, ZoneId.of("Europe/Berlin")));
    }

    @Test
    void aSettingOfAnotherKindIsRefusedAsSuch() {
        assertThat(yaml("providers: {gemini: {apiKey: x, contextTokens: 4096}}\nagents: {defaults: {model: gemini/x}}")
                        .problems())
                .singleElement()
                .asString()
                .contains("providers.gemini.contextTokens [", "is no setting of kind gemini, only of ollama");
    }

    @Test
    void toolsOfAnAgentWhoseModelTakesNoneAreWarnedOf() {
        String mcp = "mcp: {search: {command: [x]}}\nproviders: {local: {kind: command, command: [x]}, ollama: {}}\n";
        String agents = "agents: {defaults: {model: %s}, list: [{id: a, tools: {mcp: [search]}}, {id: b}]}";

        for (String model : List.of("local/any", "offline/echo")) {
            assertThat(yaml(mcp + agents.formatted(model)).warnings())
                    .singleElement()
                    .asString()
                    .contains("agents.list[0].tools.mcp [", "has no use on " + model);
        }
        assertThat(yaml(mcp + agents.formatted("ollama/any")).warnings()).isEmpty();
    }

    @Test
    void providersComeWithTheirVendorsAddressAndInTheirWrittenOrder() {
        Settings settings =
                yaml("""
                        providers:
                          zeta: {kind: openai, baseUrl: 'http://localhost:8000/v1/'}
                          anthropic: {apiKey: key}
                          local: {kind: command, command: [run.sh, '--flag', '']}
                        agents: {defaults: {model: zeta/any}}
                        """)
                        .settings();
        assertThat(settings.providers()).containsOnlyKeys("zeta", "anthropic", "local", "offline");
        assertThat(settings.providers().keySet()).startsWith("zeta", "anthropic", "local");
        assertThat(settings.providers().get("zeta").baseUrl()).isEqualTo(URI.create("http://localhost:8000/v1"));
        assertThat(settings.providers().get("anthropic").baseUrl())
                .isEqualTo(URI.create("https://api.anthropic.com/v1"));
        assertThat(settings.providers().get("local").command()).isEqualTo(List.of("run.sh", "--flag", ""));
    }

    @Test
    void channelsAreTakenWithTheirCredentialsApartFromTheirOptions() {
        Settings settings =
                yaml("""
                        channels:
                          signal: {account: +491701234567, baseUrl: 'http://signal:8080/'}
                          whatsapp: {accessToken: secret, phoneNumberId: 0123456789012345678901234567890}
                          msteams: {webhookUrl: 'https://flow.example/x?sig=secret'}
                          crm: {kind: webhook, url: 'https://crm.example/in', secret: whsec_eA==, textLimit: 500}
                        """)
                        .settings();
        assertThat(settings.channels().keySet()).containsExactly("signal", "whatsapp", "msteams", "crm");
        assertThat(settings.channels().get("signal").options())
                .containsEntry("account", "+491701234567")
                .containsEntry("baseUrl", "http://signal:8080");
        Settings.Channel whatsapp = settings.channels().get("whatsapp");
        assertThat(whatsapp.options())
                .containsEntry("phoneNumberId", "0123456789012345678901234567890")
                .containsEntry("textLimit", "4096")
                .containsKey("baseUrl")
                .doesNotContainKey("accessToken");
        assertThat(whatsapp.secrets().get("accessToken").reveal()).isEqualTo("secret");
        assertThat(settings.channels().get("msteams").secrets()).containsOnlyKeys("webhookUrl");
        assertThat(settings.channels().get("crm").kind()).isEqualTo("webhook");
        assertThat(settings.channels().get("crm").options()).containsEntry("textLimit", "500");
    }

    @Test
    void anAllowListMayNameModelsWhoseProviderIsMissingButIsWarnedOf() {
        ConfigurationFixture configurationFixture = yaml("agents: {defaults: {models: [offline/echo, openai/gpt]}}");
        assertThat(configurationFixture
                        .settings()
                        .agents()
                        .defaults()
                        .models()
                        .orElseThrow()
                        .ids())
                .containsExactly("offline/echo", "openai/gpt");
        assertThat(configurationFixture.warnings()).singleElement().asString().contains("there is no provider openai");
    }

    private ConfigurationFixture yaml(String text) {
        return ConfigurationFixture.yaml(home, text);
    }

    @Test
    void saysThatAHostHasACharacterThatNoHostHas() {
        assertThat(yaml("providers: {ollama: {baseUrl: 'http://my_service:11434'}}")
                        .problemLines())
                .anySatisfy(line -> assertThat(line).contains("providers.ollama.baseUrl", "has a host that is none"));
    }
}
