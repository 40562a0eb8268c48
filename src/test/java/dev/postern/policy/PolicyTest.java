package dev.postern.policy;

import static org.assertj.core.api.Assertions.assertThat;

import dev.postern.config.ConfigurationFixture;
import dev.postern.model.AllowedAction;
import dev.postern.model.ErrorCode;
import dev.postern.model.HookAction;
import dev.postern.model.HookAction.KeySource;
import dev.postern.model.IdGenerator;
import dev.postern.model.OperatorInstructions;
import dev.postern.model.Provenance;
import dev.postern.model.Recipient;
import dev.postern.model.Rejection;
import dev.postern.model.SessionKey;
import dev.postern.model.TurnPriority;
import dev.postern.model.WakeMode;
import java.nio.file.Path;
import java.time.Duration;
import java.time.InstantSource;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class PolicyTest {

    @TempDir
    Path home;

    private PolicyFixture fixture;

    @BeforeEach
    void make() {
        fixture = new PolicyFixture(home);
    }

    @Test
    void leavesSenderFallbacksWithinItsModels() {
        Policy policy = new Policy(
                ConfigurationFixture.yaml(
                                home,
                                """
                                hooks: {enabled: true, token: a-token-that-is-long-enough-01}
                                agents: {defaults: {model: a/one, fallbacks: [b/two, c/three]}}
                                providers:
                                  a: {kind: command, command: [x]}
                                  b: {kind: command, command: [x]}
                                  c: {kind: command, command: [x]}
                                senders:
                                  narrow: {token: another-token-that-is-long-01, hooks: [agent], models: [a/one, c/three]}
                                  wide: {token: a-third-token-that-is-long-01, hooks: [agent]}
                                """)
                        .settings(),
                new IdGenerator(InstantSource.system()),
                (channel, to) -> null);

        assertThat(new ActionRequestBuilder(policy)
                        .sender("narrow")
                        .turn()
                        .operatorInstructions()
                        .fallbacks())
                .contains(List.of("c/three"));
        assertThat(new ActionRequestBuilder(policy).sender("wide").turn().operatorInstructions())
                .isEqualTo(OperatorInstructions.NONE);
    }

    @Test
    void leavesSenderTheFallbacksThatAMappingNamesByAlias() {
        Policy policy = new Policy(
                ConfigurationFixture.yaml(
                                home,
                                """
                                hooks: {enabled: true, token: a-token-that-is-long-enough-01}
                                agents: {defaults: {model: big, models: {big: a/one, small: b/two, other: c/three}}}
                                providers:
                                  a: {kind: command, command: [x]}
                                  b: {kind: command, command: [x]}
                                  c: {kind: command, command: [x]}
                                senders:
                                  narrow: {token: another-token-that-is-long-01, hooks: [agent], models: [big, small]}
                                """)
                        .settings(),
                new IdGenerator(InstantSource.system()),
                (channel, to) -> null);

        OperatorInstructions narrowed = new ActionRequestBuilder(policy)
                .sender("narrow")
                .fallbacks("small", "other")
                .turn()
                .operatorInstructions();
        assertThat(narrowed.fallbacks()).contains(List.of("b/two"));
        assertThat(narrowed.mappingQueue()).isEqualTo("generic");
    }

    @Test
    void keepsTheBeginningOfALongName() {
        assertThat(new ActionRequestBuilder(fixture.policy())
                        .name("n".repeat(300))
                        .turn()
                        .name())
                .isEqualTo("n".repeat(254) + "…");
    }

    @Test
    void refusesARequestsSessionKeyByDefault() {
        assertThat(fixture.newAction().sessionKey("hook:a").rejection())
                .isEqualTo(new Rejection(
                        ErrorCode.SESSION_KEY_DISABLED,
                        "sessionKey",
                        "A request may not name a sessionKey here: hooks.allowRequestSessionKey is false."));
    }

    @Test
    void takesAMappingsSessionKeyWithoutLeaveForRequests() {
        assertThat(fixture.newAction()
                        .sessionKey("hook:a")
                        .from(KeySource.MAPPING)
                        .turn()
                        .sessionKey())
                .isEqualTo(new SessionKey("hook:a"));
    }

    @Test
    void takesARequestsSessionKeyWhereThatIsAllowed() {
        fixture.hooks("allowRequestSessionKey: true");

        assertThat(fixture.newAction().sessionKey("hook:a").turn().sessionKey()).isEqualTo(new SessionKey("hook:a"));
    }

    @ParameterizedTest
    @ValueSource(strings = {"REQUEST", "MAPPING"})
    void rejectsKeyWithoutAllowedPrefixFromAnySource(String source) {
        fixture.hooks("allowRequestSessionKey: true").hooks("allowedSessionKeyPrefixes: ['hook:', 'ci:']");

        assertThat(fixture.newAction()
                        .sessionKey("other")
                        .from(KeySource.valueOf(source))
                        .rejection())
                .isEqualTo(new Rejection(
                        ErrorCode.SESSION_KEY_PREFIX, "sessionKey", "sessionKey must begin with one of: hook:, ci:."));
    }

    @ParameterizedTest
    @CsvSource({"REQUEST, main", "REQUEST, main:main", "MAPPING, main:", "SCRIPT, main:nobody"})
    void rejectsKeysOfPosternsOwnSessions(KeySource source, String key) {
        fixture.hooks("allowRequestSessionKey: true").hooks("allowedSessionKeyPrefixes: ['hook:', 'main']");

        assertThat(fixture.newAction().sessionKey(key).from(source).rejection())
                .extracting(Rejection::code, Rejection::field)
                .containsExactly(ErrorCode.SESSION_KEY_PREFIX, "sessionKey");
        assertThat(fixture.newAction()
                        .sessionKey("maintenance:1")
                        .from(source)
                        .turn()
                        .sessionKey())
                .isEqualTo(new SessionKey("maintenance:1"));
    }

    @Test
    void takesAKeyWithAnyOfTheAllowedPrefixes() {
        fixture.hooks("allowRequestSessionKey: true").hooks("allowedSessionKeyPrefixes: ['hook:', 'ci:']");

        assertThat(fixture.newAction().sessionKey("ci:42").turn().sessionKey()).isEqualTo(new SessionKey("ci:42"));
    }

    @Test
    void refusesAKeyThatIsTooLongOrHoldsControlCharacters() {
        fixture.hooks("allowRequestSessionKey: true");

        assertThat(fixture.newAction()
                        .sessionKey("k".repeat(255))
                        .turn()
                        .sessionKey()
                        .value())
                .hasSize(255);
        assertThat(fixture.newAction().sessionKey("k".repeat(256)).rejection().field())
                .isEqualTo("sessionKey");
        assertThat(fixture.newAction().sessionKey("a\r\nb").rejection())
                .extracting(Rejection::code, Rejection::field)
                .containsExactly(ErrorCode.INVALID_PAYLOAD, "sessionKey");
    }

    @Test
    void usesTheDefaultSessionKeyWhereNoneIsNamed() {
        fixture.hooks("defaultSessionKey: hook:fixed");

        assertThat(fixture.newAction().turn().sessionKey()).isEqualTo(new SessionKey("hook:fixed"));
    }

    @Test
    void generatesAnotherSessionKeyForEachTurnWhereThereIsNoDefault() {
        SessionKey first = fixture.newAction().turn().sessionKey();
        SessionKey second = fixture.newAction().turn().sessionKey();

        assertThat(first.value()).matches("hook:[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}");
        assertThat(second).isNotEqualTo(first);
    }

    @Test
    void refusesAnAgentOutsideTheAllowListEvenIfItIsConfigured() {
        fixture.hooks("allowedAgentIds: ['ops']");

        assertThat(fixture.newAction().agentId("main").rejection())
                .isEqualTo(new Rejection(
                        ErrorCode.AGENT_NOT_ALLOWED, "agentId", "This agentId is not in hooks.allowedAgentIds."));
        assertThat(fixture.newAction().agentId("ops").turn().agentId()).isEqualTo("ops");
    }

    @Test
    void refusesEveryExplicitAgentWhereTheAllowListIsEmpty() {
        fixture.hooks("allowedAgentIds: []");

        assertThat(fixture.newAction().agentId("main").rejection().code()).isEqualTo(ErrorCode.AGENT_NOT_ALLOWED);
        assertThat(fixture.newAction().turn().agentId()).isEqualTo("main");
    }

    @Test
    void takesAnyAgentWhereTheAllowListHoldsAStar() {
        fixture.hooks("allowedAgentIds: ['*']");

        assertThat(fixture.newAction().agentId("ops").turn().agentId()).isEqualTo("ops");
    }

    @Test
    void givesAnUnknownAgentsWorkToTheDefaultAgent() {
        assertThat(fixture.newAction().agentId("nobody").turn().agentId()).isEqualTo("main");
    }

    @Test
    void appliesTheAllowListToTheIdAsGivenThoughItIsUnknown() {
        fixture.hooks("allowedAgentIds: ['nobody']");

        assertThat(fixture.newAction().agentId("nobody").turn().agentId()).isEqualTo("main");
        assertThat(fixture.newAction().agentId("stranger").rejection().code()).isEqualTo(ErrorCode.AGENT_NOT_ALLOWED);
    }

    @ParameterizedTest
    @ValueSource(strings = {"../x", "a/b", "a\\b", "/", "..", ".", "a\u0000", "a\nb"})
    void refusesAnAgentThatIsAPathOrHoldsControlCharacters(String id) {
        assertThat(fixture.newAction().agentId(id).rejection())
                .extracting(Rejection::code, Rejection::field)
                .containsExactly(ErrorCode.INVALID_PAYLOAD, "agentId");
    }

    @Test
    void refusesAnAgentsNameThatIsLongerThanAnyIs() {
        assertThat(fixture.newAction().agentId("x".repeat(255)).turn().agentId())
                .isEqualTo("main");
        assertThat(fixture.newAction().agentId("x".repeat(256)).rejection().field())
                .isEqualTo("agentId");
    }

    @ParameterizedTest
    @ValueSource(strings = {"ops team", "агент", ".hidden", "a..b", "a:b", "@ops"})
    void givesTheWorkOfAnyOtherUnknownNameToTheDefaultAgent(String id) {
        assertThat(fixture.newAction().agentId(id).turn().agentId()).isEqualTo("main");
    }

    @Test
    void takesAnyModelWhileModelsAreNotRestricted() {
        assertThat(fixture.newAction().model("openai/gpt").turn().model()).isEqualTo("openai/gpt");
    }

    @Test
    void refusesAModelOutsideTheAllowList() {
        fixture.models("[offline/echo]");

        assertThat(fixture.newAction().model("openai/gpt").rejection())
                .isEqualTo(new Rejection(ErrorCode.MODEL_NOT_ALLOWED, "model", "model must be one of: offline/echo."));
        assertThat(fixture.newAction().model("offline/echo").turn().model()).isEqualTo("offline/echo");
    }

    @Test
    void resolvesAnAliasBeforeItLooksAtTheAllowList() {
        fixture.models("{fast: openai/gpt, echo: offline/echo}");

        assertThat(fixture.newAction().model("fast").turn().model()).isEqualTo("openai/gpt");
        assertThat(fixture.newAction().model("FAST").rejection().sentence())
                .isEqualTo("model must be one of: openai/gpt, offline/echo, echo, fast.");
    }

    @Test
    void usesTheAgentsModelWhereNoneIsNamed() {
        fixture.models("[openai/gpt, offline/echo]");

        assertThat(fixture.newAction().turn().model()).isEqualTo("offline/echo");
    }

    @Test
    void refusesAModelThatIsTooLongOrHoldsControlCharacters() {
        assertThat(fixture.newAction().model("m".repeat(255)).turn().model()).hasSize(255);
        assertThat(fixture.newAction().model("m".repeat(256)).rejection().field())
                .isEqualTo("model");
        assertThat(fixture.newAction().model("a\nb").rejection().code()).isEqualTo(ErrorCode.INVALID_PAYLOAD);
    }

    @ParameterizedTest
    @ValueSource(strings = {"irc", "LAST", "Slack"})
    void refusesAChannelThatDoesNotExist(String channel) {
        Rejection rejection = fixture.newAction().channel(channel).rejection();

        assertThat(rejection.field()).isEqualTo("channel");
        assertThat(rejection.sentence())
                .isEqualTo(
                        "channel must be one of last, whatsapp, telegram, discord, slack, mattermost, signal, imessage,"
                                + " msteams, inbox, callback, picky.");
    }

    @Test
    void takesTheNameOfAChatForItsOnlyChannel() {
        assertThat(fixture.newAction().channel("slack").rejection().sentence()).isEqualTo("to must be an id.");
        Policy policy = ofChannels("ops: {kind: slack, botToken: xoxb-0123456789}");

        assertThat(new ActionRequestBuilder(policy).channel("slack").turn().recipient())
                .isEqualTo(new Recipient("ops", "someone"));
        assertThat(new ActionRequestBuilder(policy)
                        .channel("slack")
                        .sender("chats")
                        .turn()
                        .recipient())
                .isEqualTo(new Recipient("ops", "someone"));
        assertThat(new ActionRequestBuilder(policy)
                        .channel("inbox")
                        .sender("chats")
                        .rejection()
                        .field())
                .isEqualTo("channel");
    }

    @Test
    void choosesNoneOfSeveralChannelsOfAChat() {
        Policy policy = ofChannels(
                "ops: {kind: slack, botToken: xoxb-0123456789}," + " dev: {kind: slack, botToken: xoxb-9876543210}");

        assertThat(new ActionRequestBuilder(policy).channel("slack").turn().recipient())
                .isEqualTo(new Recipient("slack", "someone"));
    }

    private Policy ofChannels(String channels) {
        String yaml =
                """
                hooks: {enabled: true, token: a-token-that-is-long-enough-01}
                channels: {%s}
                senders: {chats: {token: another-token-that-is-long-01, hooks: [agent], channels: [slack]}}
                """;
        return new Policy(
                ConfigurationFixture.yaml(home, yaml.formatted(channels)).settings(),
                new IdGenerator(InstantSource.system()),
                (channel, to) -> null);
    }

    @Test
    void refusesARecipientInAFormThatItsChannelDoesNotKnow() {
        Rejection rejection = fixture.newAction().channel("picky").rejection();

        assertThat(rejection.field()).isEqualTo("to");
        assertThat(rejection.sentence()).isEqualTo("to must be an id.");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "last",
                "whatsapp",
                "telegram",
                "discord",
                "mattermost",
                "signal",
                "imessage",
                "msteams",
                "inbox",
                "callback"
            })
    void takesEveryChatChannelAndTheConfiguredOnes(String channel) {
        assertThat(fixture.newAction().channel(channel).turn().recipient())
                .isEqualTo(new Recipient(channel, "someone"));
    }

    @ParameterizedTest
    @ValueSource(strings = {"off", "minimal", "low", "medium", "high"})
    void takesEveryLevelOfThinking(String level) {
        assertThat(fixture.newAction().thinking(level).turn().thinking()).isEqualTo(level);
    }

    @Test
    void refusesALevelOfThinkingThatDoesNotExist() {
        assertThat(fixture.newAction().thinking("High").rejection())
                .isEqualTo(Rejection.invalid("thinking", "thinking must be one of off, minimal, low, medium, high."));
    }

    @Test
    void takesALevelThatTheModelsProviderNames() {
        fixture.provider("deep", "ultra");

        assertThat(fixture.newAction().model("deep/x").thinking("ultra").turn().thinking())
                .isEqualTo("ultra");
        assertThat(fixture.newAction().model("deep/x").thinking("high").turn().thinking())
                .isEqualTo("high");
        assertThat(fixture.newAction()
                        .model("deep/x")
                        .thinking("more")
                        .rejection()
                        .sentence())
                .isEqualTo("thinking must be one of off, minimal, low, medium, high, ultra.");
        assertThat(fixture.newAction().thinking("ultra").rejection().field()).isEqualTo("thinking");
    }

    @Test
    void usesTheAgentsThinkingWhereNoneIsNamed() {
        assertThat(fixture.newAction().turn().thinking()).isEqualTo("low");
    }

    @Test
    void leavesTheAgentsThinkingAwayOnAModelThatDoesNotKnowIt() {
        fixture.provider("deep", "ultra").agentOn("deep/x", "ultra");

        assertThat(fixture.newAction().model("deep/x").turn().thinking()).isEqualTo("ultra");
        assertThat(fixture.newAction().model("other/x").turn().thinking()).isNull();
    }

    @Test
    void boundsTheTimeATurnMayTake() {
        assertThat(fixture.newAction().timeout(Duration.ofDays(1)).turn().timeout())
                .isEqualTo(Duration.ofDays(1));
        assertThat(fixture.newAction().timeout(Duration.ofDays(1).plusMillis(1)).rejection())
                .isEqualTo(
                        Rejection.invalid("timeoutSeconds", "timeoutSeconds must be more than 0 and at most 86400."));
        assertThat(fixture.newAction().timeout(Duration.ZERO).rejection().field())
                .isEqualTo("timeoutSeconds");
        assertThat(fixture.newAction().timeout(Duration.ofMillis(1)).turn().timeout())
                .isEqualTo(Duration.ofMillis(1));
    }

    @Test
    void usesTheConfiguredTimeWhereNoneIsNamed() {
        assertThat(fixture.newAction().turn().timeout()).isEqualTo(Duration.ofMinutes(10));
    }

    @Test
    void passesOnWhatItDoesNotJudge() {
        AllowedAction.Turn turn = fixture.newAction().turn();

        assertThat(turn.message()).isEqualTo("do it");
        assertThat(turn.name()).isEqualTo("CI");
        assertThat(turn.wakeMode()).isEqualTo(WakeMode.NEXT_HEARTBEAT);
        assertThat(turn.deliver()).isTrue();
        assertThat(turn.provenance()).isEqualTo(Provenance.untrusted("agent"));
    }

    @ParameterizedTest
    @ValueSource(strings = {"[]", "[ops]"})
    void refusesAWakeOfAnAgentThatIsNotAllowed(String allowed) {
        fixture.hooks("allowedAgentIds: " + allowed);

        assertThat(fixture.policy().decide(wake("main")))
                .isEqualTo(new PolicyDecision.Denied(new Rejection(
                        ErrorCode.AGENT_NOT_ALLOWED, "agentId", "This agentId is not in hooks.allowedAgentIds.")));
    }

    @Test
    void refusesAWakeOfAnAgentWhoseIdIsAPath() {
        assertThat(fixture.policy().decide(wake("../ops")))
                .isInstanceOfSatisfying(
                        PolicyDecision.Denied.class,
                        denied -> assertThat(denied.rejection().field()).isEqualTo("agentId"));
    }

    @ParameterizedTest
    @ValueSource(strings = {"main", "nobody"})
    void sendsAWakeOfAnUnknownAgentToTheDefaultOne(String agent) {
        assertThat(fixture.policy().decide(wake(agent)))
                .isEqualTo(new PolicyDecision.Allowed(
                        new AllowedAction.Wake("main", "it rains", WakeMode.NOW, Provenance.untrusted("wake"))));
    }

    @Test
    void sendsAWakeWithoutAnAgentToTheDefaultOneWhateverIsAllowed() {
        fixture.hooks("allowedAgentIds: []");

        assertThat(fixture.policy().decide(wake(null)))
                .isEqualTo(new PolicyDecision.Allowed(
                        new AllowedAction.Wake("main", "it rains", WakeMode.NOW, Provenance.untrusted("wake"))));
    }

    @ParameterizedTest
    @CsvSource({
        "last, channel must be named: a delivery without an agent follows no other.",
        "slak, channel must be one of last"
    })
    void refusesADeliveryWithoutAChannel(String channel, String sentence) {
        assertThat(fixture.policy().decide(delivery(channel, null)))
                .isInstanceOfSatisfying(PolicyDecision.Denied.class, denied -> {
                    assertThat(denied.rejection().field()).isEqualTo("channel");
                    assertThat(denied.rejection().sentence()).startsWith(sentence);
                });
    }

    @Test
    void allowsADeliveryToAChannelByName() {
        fixture.hooks("allowedAgentIds: []");

        assertThat(fixture.policy().decide(delivery("inbox", null)))
                .isEqualTo(new PolicyDecision.Allowed(new AllowedAction.DirectDelivery(
                        "it rains", new Recipient("inbox", null), Provenance.untrusted("red"))));
    }

    private static HookAction delivery(String channel, @Nullable String to) {
        return new HookAction.DirectDelivery("it rains", channel, to, Provenance.untrusted("red"));
    }

    private static HookAction wake(@Nullable String agent) {
        return new HookAction.Wake("it rains", WakeMode.NOW, agent, Provenance.untrusted("wake"));
    }

    /** A set of settings, changed a word at a time, and one action. */
    private static final class PolicyFixture {

        private final Path home;
        private final StringBuilder hooks = new StringBuilder();
        private String models = "";
        private String providers = "";
        private String model = "offline/echo";
        private String thinking = "low";

        PolicyFixture(Path home) {
            this.home = home;
        }

        /** Adds {@code setting} to {@code hooks}. */
        PolicyFixture hooks(String setting) {
            hooks.append(", ").append(setting);
            return this;
        }

        /** Adds a provider whose models know {@code level} of thinking. */
        PolicyFixture provider(String id, String level) {
            providers = id + ": {kind: command, command: [x], thinkingLevels: [" + level + "]}";
            return this;
        }

        /** Sets the model and the thinking level of all agents. */
        void agentOn(String ownModel, String ownThinking) {
            model = ownModel;
            thinking = ownThinking;
        }

        /** Sets the models that a request may name. */
        void models(String allowed) {
            models = ", models: " + allowed;
        }

        Policy policy() {
            String yaml =
                    """
                    hooks: {enabled: true, token: a-token-that-is-long-enough-01%s}
                    agents:
                      defaults: {model: %s, thinking: %s%s}
                      list: [{id: main}, {id: ops}]
                    providers: {%s}
                    channels:
                      callback: {kind: webhook, url: 'https://crm.example/replies', secret: whsec_Zm9yLXNpZ25pbmc=}
                      picky: {kind: slack, botToken: xoxb-0123456789}
                    """;
            return new Policy(
                    ConfigurationFixture.yaml(home, yaml.formatted(hooks, model, thinking, models, providers))
                            .settings(),
                    new IdGenerator(InstantSource.system()),
                    (channel, to) -> channel.equals("picky") && to.equals("someone") ? "to must be an id." : null);
        }

        ActionRequestBuilder newAction() {
            return new ActionRequestBuilder(policy());
        }
    }

    /** An agent action as a request asks for it. */
    private static final class ActionRequestBuilder {

        private final Policy policy;
        private String name = "CI";
        private String agentId;
        private String sessionKey;
        private KeySource source = KeySource.REQUEST;
        private String channel = "last";
        private String model;
        private String thinking;
        private Duration timeout;
        private String sender;
        private OperatorInstructions operatorInstructions = OperatorInstructions.NONE;

        ActionRequestBuilder(Policy policy) {
            this.policy = policy;
        }

        ActionRequestBuilder name(String value) {
            name = value;
            return this;
        }

        ActionRequestBuilder agentId(String value) {
            agentId = value;
            return this;
        }

        ActionRequestBuilder sessionKey(String value) {
            sessionKey = value;
            return this;
        }

        ActionRequestBuilder from(KeySource value) {
            source = value;
            return this;
        }

        ActionRequestBuilder channel(String value) {
            channel = value;
            return this;
        }

        ActionRequestBuilder model(String value) {
            model = value;
            return this;
        }

        ActionRequestBuilder thinking(String value) {
            thinking = value;
            return this;
        }

        ActionRequestBuilder timeout(Duration value) {
            timeout = value;
            return this;
        }

        ActionRequestBuilder sender(String value) {
            sender = value;
            return this;
        }

        ActionRequestBuilder fallbacks(String... names) {
            operatorInstructions = new OperatorInstructions(
                    null, Optional.empty(), List.of(), Optional.of(List.of(names)), TurnPriority.NORMAL, "generic");
            return this;
        }

        Rejection rejection() {
            return ((PolicyDecision.Denied) judge()).rejection();
        }

        AllowedAction.Turn turn() {
            return (AllowedAction.Turn) ((PolicyDecision.Allowed) judge()).action();
        }

        private PolicyDecision judge() {
            return policy.decide(
                    new HookAction.AgentTurn(
                            /* message= */ "do it",
                            name,
                            agentId,
                            sessionKey,
                            /* sessionKeySource= */ source,
                            /* wakeMode= */ WakeMode.NEXT_HEARTBEAT,
                            /* deliver= */ true,
                            channel,
                            /* to= */ "someone",
                            model,
                            thinking,
                            timeout,
                            /* provenance= */ Provenance.untrusted("agent"),
                            operatorInstructions),
                    sender);
        }
    }
}
