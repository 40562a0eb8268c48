package dev.postern.mapping;

import static dev.postern.mapping.MappingFixture.agent;
import static dev.postern.mapping.MappingFixture.wake;
import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.NullNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.postern.config.MappingSettings.TextField;
import dev.postern.mapping.HookRegistry.Compilation;
import dev.postern.mapping.HookRegistry.Considered;
import dev.postern.mapping.MappingFixture.MappingBuilder;
import dev.postern.mapping.script.ScriptRegistry;
import dev.postern.model.ErrorCode;
import dev.postern.model.HookAction;
import dev.postern.model.HookAction.AgentTurn;
import dev.postern.model.HookAction.KeySource;
import dev.postern.model.HookRequest;
import dev.postern.model.HookResult;
import dev.postern.model.Provenance;
import dev.postern.model.Rejection;
import dev.postern.model.WakeMode;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class CompiledMappingTest {

    @TempDir
    static Path root;

    private static ScriptRegistry scriptRegistry;

    @BeforeAll
    static void start() {
        scriptRegistry = MappingFixture.scripts(root);
    }

    @AfterAll
    static void end() {
        scriptRegistry.close();
    }

    @Test
    void reportsEveryTemplateThatDoesNotParseWithItsPlace() {
        Compilation compilation = MappingFixture.compile(
                scriptRegistry,
                agent("a", "fine").text(TextField.TO, "one\n${payload."),
                agent("b", "<#if payload.x>no end"));

        assertThat(compilation.problems()).hasSize(2);
        assertThat(compilation.problems().get(0))
                .startsWith("hooks.mappings[0].to [postern.yaml line 7]: template line 2, column ");
        assertThat(compilation.problems().get(1)).startsWith("hooks.mappings[0].messageTemplate [");
    }

    @Test
    void warnsOfWhatLooksLikeAPlaceholderAndIsNone() {
        Compilation compilation = MappingFixture.compile(scriptRegistry, agent("a", "{{#if payload.x}}"));

        assertThat(compilation.problems()).isEmpty();
        assertThat(compilation.warnings()).hasSize(1);
    }

    @Test
    void refusesAnActionWithoutItsText() {
        MappingResult mapped =
                MappingFixture.of(agent("a", "${payload.missing}")).map("a", "{}");

        assertThat(rejection(mapped).code()).isEqualTo(ErrorCode.MAPPING_FAILED);
        assertThat(rejection(mapped).field()).isEqualTo("message");
        assertThat(rejection(mapped).sentence()).startsWith("Mapping [test]: message is required");
    }

    @Test
    void refusesToMakeAPayloadManyTimesAsLarge() {
        MappingFixture mappingFixture =
                MappingFixture.of(wake("a", "{{payload}}").forEach("list"));
        String list = "0,".repeat(199) + "0";

        Rejection rejection =
                rejection(mappingFixture.map("a", "{'list':[" + list + "],'text':'" + "a".repeat(100_000) + "'}"));

        assertThat(rejection.code()).isEqualTo(ErrorCode.MAPPING_FAILED);
        assertThat(rejection.field()).isEqualTo("list");
        assertThat(rejection.sentence())
                .isEqualTo("Mapping [test] makes more than 4194304 characters of all elements.");
        assertThat(mappingFixture.map("a", "{'list':[" + list + "],'text':'" + "a".repeat(1_000) + "'}"))
                .isInstanceOf(MappingResult.Actions.class);
    }

    @Test
    void turnsOfAMappingWithoutAPathWaitInItsOwnQueue() {
        MappingFixture mappingFixture =
                MappingFixture.of(agent("a", "m").id("fixed"), agent(null, "m").id("generic"));

        assertThat(turn(mappingFixture, "a").operatorInstructions().mappingQueue())
                .isNull();
        assertThat(turn(mappingFixture, "b/1").operatorInstructions().mappingQueue())
                .isEqualTo("generic");
        assertThat(turn(mappingFixture, "b/1").provenance().hook()).isEqualTo("b/1");
    }

    @ParameterizedTest
    @ValueSource(strings = {"soon", "NOW"})
    void refusesAWakeModeThatThereIsNot(String mode) {
        MappingResult mapped = MappingFixture.of(agent("a", "m").text(TextField.WAKE_MODE, "${payload.mode}"))
                .map("a", "{'mode':'" + mode + "'}");

        assertThat(rejection(mapped).field()).isEqualTo("wakeMode");
        assertThat(rejection(mapped).sentence()).doesNotContain(mode + "]");
    }

    @Test
    void takesOnlyWhatHasThePathTheSourceAndTheHeaders() {
        MappingFixture mappingFixture =
                MappingFixture.of(agent("a", "m").source("cron").header("x-kind", "nightly"));

        assertThat(mappingFixture.map("a", "{'source':'cron'}", Map.of("x-kind", "nightly")))
                .isInstanceOf(MappingResult.Actions.class);
        assertThat(mappingFixture.map("b", "{'source':'cron'}", Map.of("x-kind", "nightly")))
                .isEqualTo(MappingResult.of(new HookResult.NoSuchHook()));
        assertThat(mappingFixture.map("a", "{'source':'Cron'}", Map.of("x-kind", "nightly")))
                .isEqualTo(MappingResult.of(new HookResult.NoSuchHook()));
        assertThat(mappingFixture.map("a", "{'source':'cron'}", Map.of("x-kind", "daily")))
                .isEqualTo(MappingResult.of(new HookResult.NoSuchHook()));
        assertThat(mappingFixture.map("a", "{'source':'cron'}"))
                .isEqualTo(MappingResult.of(new HookResult.NoSuchHook()));
        assertThat(mappingFixture.map("a", "['cron']")).isEqualTo(MappingResult.of(new HookResult.NoSuchHook()));
    }

    @Test
    void opensToASignatureOnlyTheMappingsOfItsOwnPath() {
        MappingFixture mappingFixture = MappingFixture.of(
                agent(null, "internal").source("internal").trusted(),
                agent(null, "any").header("x-kind", "nightly"),
                agent("partner", "partner"));

        assertThat(message(mappingFixture.map("partner", "{'source':'internal'}")))
                .isEqualTo("internal");
        assertThat(message(mappingFixture.mapSigned("partner", "{'source':'internal'}")))
                .isEqualTo("partner");
        assertThat(mappingFixture.mapSigned("elsewhere", "{'source':'internal'}"))
                .isEqualTo(MappingResult.of(new HookResult.NoSuchHook()));
    }

    @Test
    void saysWhyAMappingWasPassedOver() {
        MappingFixture mappingFixture = MappingFixture.of(
                agent("other", "m").id("one"),
                agent("a", "m").id("two").source("cron"),
                agent("a", "m").id("three").header("x-kind", "nightly"),
                agent("a", "m").id("four"),
                agent("a", "m").id("five"));
        HookRequest request = bare("a");

        assertThat(mappingFixture.mappings().considered(request, NullNode.instance))
                .extracting(Considered::id)
                .containsExactly("one", "two", "three", "four");
        assertThat(mappingFixture.mappings().considered(request, NullNode.instance))
                .extracting(Considered::obstacle)
                .containsExactly(
                        "match.path is [other]",
                        "match.source is [cron], which the payload's source is not",
                        "match.headers.x-kind is [nightly], which the request's lacks",
                        null);
    }

    @Test
    void fillsEveryFieldFromItsTemplate() {
        MappingFixture mappingFixture = MappingFixture.of(agent("a", "m ${path} ${query.q} ${now}")
                .text(TextField.NAME, "${payload.name}")
                .text(TextField.AGENT_ID, "ops")
                .text(TextField.SESSION_KEY, "hook:${payload.id}")
                .text(TextField.CHANNEL, "slack")
                .text(TextField.TO, "{{payload.to}}")
                .text(TextField.MODEL, "fast")
                .text(TextField.THINKING, "low")
                .text(TextField.WAKE_MODE, "next-heartbeat")
                .text(TextField.IDEMPOTENCY_KEY, "k${payload.id}"));

        MappingResult.Actions mapped =
                (MappingResult.Actions) mappingFixture.map("a", "{'name':'N','id':12345678901234567890,'to':'C1'}");

        assertThat(mapped.idempotencyKey()).isEqualTo("k12345678901234567890");
        AgentTurn turn = (AgentTurn) mapped.actions().get(0);
        assertThat(turn.message()).isEqualTo("m a 1 2026-11-21T03:00:00Z");
        assertThat(turn.name()).isEqualTo("N");
        assertThat(turn.agentId()).isEqualTo("ops");
        assertThat(turn.sessionKey()).isEqualTo("hook:12345678901234567890");
        assertThat(turn.sessionKeySource()).isEqualTo(KeySource.MAPPING);
        assertThat(turn.channel()).isEqualTo("slack");
        assertThat(turn.to()).isEqualTo("C1");
        assertThat(turn.model()).isEqualTo("fast");
        assertThat(turn.thinking()).isEqualTo("low");
        assertThat(turn.provenance().hook()).isEqualTo("a");
        assertThat(turn.provenance().trusted()).isFalse();
    }

    @Test
    void takesThePayloadsOwnIdempotencyKeyBeforeTheTemplates() {
        MappingFixture mappingFixture =
                MappingFixture.of(agent("a", "m").text(TextField.IDEMPOTENCY_KEY, "${payload.id}"));

        assertThat(key(mappingFixture.map("a", "{'id':'mine','idempotencyKey':' given '}")))
                .isEqualTo("given");
        assertThat(key(mappingFixture.map("a", "{'id':'mine'}"))).isEqualTo("mine");
        assertThat(key(mappingFixture.map("a", "{'id':'mine','idempotencyKey':7}")))
                .isEqualTo("mine");
        assertThat(key(mappingFixture.map("a", "[]"))).isNull();
    }

    @Test
    void makesNoKeyThatLacksOneOfItsParts() {
        MappingFixture guarded = MappingFixture.of(agent("a", "m")
                .text(
                        TextField.IDEMPOTENCY_KEY,
                        "${payload.job}-${payload.at}<#if payload.x?has_content || payload.y == 1>-x</#if>"));
        MappingFixture plain =
                MappingFixture.of(agent("a", "m").text(TextField.IDEMPOTENCY_KEY, "{{payload.job}}-{{payload.at}}"));
        MappingFixture replaced =
                MappingFixture.of(agent("a", "m").text(TextField.IDEMPOTENCY_KEY, "${payload.job}-${payload.at!}"));

        for (MappingFixture mappingFixture : List.of(guarded, plain)) {
            assertThat(key(mappingFixture.map("a", "{'job':'j'}"))).isNull();
            assertThat(key(mappingFixture.map("a", "{'job':'j','at':null}"))).isNull();
            assertThat(key(mappingFixture.map("a", "{'job':'j','at':7}"))).isEqualTo("j-7");
        }
        assertThat(key(replaced.map("a", "{'job':'j'}"))).isEqualTo("j-");
    }

    @Test
    void tellsAKeyThatAClientChoseFromASendersId() {
        MappingFixture mappingFixture =
                MappingFixture.of(agent("a", "m").text(TextField.IDEMPOTENCY_KEY, "${payload.id}"));

        assertThat(((MappingResult.Actions) mappingFixture.map("a", "{'id':'d','idempotencyKey':'k'}")).key())
                .isEqualTo(new MappingResult.Key("k", true));
        assertThat(((MappingResult.Actions) mappingFixture.map("a", "{'id':'d'}")).key())
                .isEqualTo(new MappingResult.Key("d", false));
        assertThat(((MappingResult.Actions) mappingFixture.map("wake", "{'text':'t','idempotencyKey':'k'}")).key())
                .isEqualTo(new MappingResult.Key("k", true));
    }

    @Test
    void saysWhatASampleLeavesEmptyButForWhatASampleCanNotHave() {
        MappingFixture mappingFixture =
                MappingFixture.of(agent("a", "${payload.x} ${headers[\"x-id\"]} {{query.q}} {{headers.x}}"));

        assertThat(mappingFixture
                        .mappings()
                        .tryOut("test", NullNode.instance, MappingFixture.NOW)
                        .gaps())
                .singleElement()
                .asString()
                .contains("payload.x");
    }

    @ParameterizedTest
    @ValueSource(strings = {"{{item.id}}", "k-${item.id}", "{{index}}", "${index}-${headers[\"x-id\"]}"})
    void refusesAnElementInTheKeyOfTheWholeRequest(String key) {
        Compilation compilation = MappingFixture.compile(
                scriptRegistry, wake("a", "${item.id}").forEach("list").text(TextField.IDEMPOTENCY_KEY, key));

        assertThat(compilation.problems())
                .singleElement()
                .asString()
                .startsWith("hooks.mappings[0].idempotencyKey [postern.yaml line 7]: template line 1, column ")
                .contains(" is not available in idempotencyKey,");
        assertThat(compilation.warnings()).isEmpty();
    }

    @ParameterizedTest
    @CsvSource({
        "SESSION_KEY, hook:{{item.id}}, item is a field of the payload here",
        "SESSION_KEY, hook:${item.id}, item is always empty here",
        "IDEMPOTENCY_KEY, '{{index}}', index is a field of the payload here",
        "COALESCE_KEY, '${index}', index is always empty here"
    })
    void warnsOfAnElementWhereTheMappingHasNoList(TextField field, String template, String sentence) {
        Compilation compilation =
                MappingFixture.compile(scriptRegistry, agent("a", "m").text(field, template));

        assertThat(compilation.problems()).isEmpty();
        assertThat(compilation.warnings())
                .singleElement()
                .asString()
                .startsWith("hooks.mappings[0]." + field.settingName() + " [")
                .contains(
                        sentence,
                        "the mapping has no forEach",
                        "payload." + sentence.substring(0, sentence.indexOf(" ")));
    }

    @ParameterizedTest
    @CsvSource({
        "'{{headers.x-vendor-token}}', x-vendor-token",
        "'{{headers[\"X-Vendor-Token\"]}}', x-vendor-token",
        "'${headers[\"X-Shop-HMAC-Id\"]}', x-shop-hmac-id",
        "'<#if headers.password??>c</#if>', password",
        "'${(headers[\"x-own\"]!payload.id)?upper_case}', x-own"
    })
    void warnsOfAHeaderThatNeverReachesAMapping(String template, String header) {
        Compilation compilation =
                MappingFixture.compile(scriptRegistry, agent("a", "m").text(TextField.IDEMPOTENCY_KEY, template));

        assertThat(compilation.problems()).isEmpty();
        assertThat(compilation.warnings())
                .singleElement()
                .asString()
                .startsWith("hooks.mappings[0].idempotencyKey [")
                .contains("The header [" + header + "] is always empty here");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "{{headers.i-twilio-idempotency-token}} ${headers[\"x-github-delivery\"]}",
                "{{payload.headers.x-token}} {{token}} ${payload.headers.token}",
                "<#list payload.all as headers>${headers.token}</#list>",
                "{{headers.token.of.a.field}}"
            })
    void takesOtherHeadersAndFieldsOfSuchNames(String template) {
        assertThat(MappingFixture.compile(scriptRegistry, agent("a", template)).warnings())
                .isEmpty();
    }

    @Test
    void takesTheElementsAndNamesOfATemplateItself() {
        Compilation compilation = MappingFixture.compile(
                scriptRegistry,
                agent("a", "<#list payload.all as item>${item.id}</#list>"),
                wake("b", "${item.id} {{index}}")
                        .id("b")
                        .forEach("list")
                        .text(
                                TextField.IDEMPOTENCY_KEY,
                                "{{payload.item}} <#list payload.all as item>${item}</#list>"));

        assertThat(compilation.problems()).isEmpty();
        assertThat(compilation.warnings()).isEmpty();
    }

    @Test
    void measuresTheKeyOfAListByTheWholeRequest() {
        Compilation compilation = MappingFixture.compile(
                scriptRegistry, wake("a", "${item.id}").forEach("list").text(TextField.IDEMPOTENCY_KEY, "{{item.id}}"));
        ObjectNode sample = JsonNodeFactory.instance.objectNode();
        sample.putArray("list").addObject().put("id", 7);

        assertThat(compilation
                        .mappings()
                        .tryOut("test", sample, MappingFixture.NOW)
                        .gaps())
                .singleElement()
                .asString()
                .contains("idempotencyKey", "item.id has no value in the sample");
    }

    @Test
    void looksAtNoMappingForAFixedHook() {
        MappingFixture mappingFixture = MappingFixture.of(agent(null, "m"));

        assertThat(mappingFixture.mappings().considered(bare("wake"), NullNode.instance))
                .isEmpty();
    }

    @Test
    void saysWhichMappingTookAPayload() {
        HookRegistry hookRegistry = MappingFixture.of(agent("a", "m")).mappings();

        assertThat(hookRegistry.match(bare("a"), NullNode.instance).mapping()).isEqualTo("test");
        assertThat(hookRegistry.match(bare("b"), NullNode.instance))
                .isEqualTo(new HookRegistry.MatchedResult(MappingResult.of(new HookResult.NoSuchHook()), ""));
        assertThat(hookRegistry.match(bare("wake"), NullNode.instance).mapping())
                .isEmpty();
    }

    @Test
    void trustsOnlyWhereTheOperatorSaysSo() {
        assertThat(MappingFixture.of(agent("a", "m").trusted())
                        .actions("a", "{}")
                        .get(0)
                        .provenance()
                        .trusted())
                .isTrue();
    }

    @Test
    void makesOneActionOfEachElement() {
        MappingFixture mappingFixture =
                MappingFixture.of(wake("a", "${index} ${item.x} ${payload.y}").forEach("list"));

        assertThat(mappingFixture.actions("a", "{'list':[{'x':1},{'x':2}],'y':3}"))
                .extracting(action -> ((HookAction.Wake) action).text())
                .containsExactly("0 1 3", "1 2 3");
        assertThat(mappingFixture.map("a", "{'list':[]}")).isEqualTo(MappingResult.of(new HookResult.Nothing()));
        assertThat(rejection(mappingFixture.map("a", "{'list':null}")).field()).isEqualTo("list");
        assertThat(rejection(mappingFixture.map("a", "[]")).field()).isEqualTo("list");
    }

    @Test
    void beginsNoElementPastItsPatienceAndAsksTheSenderToComeAgain() {
        AtomicLong asked = new AtomicLong();
        long step = CompiledMapping.MAX_DURATION.toNanos() / 3;
        MappingBuilder mappingBuilder = wake("a", "${item}").id("slow").forEach("list");
        LongSupplier time = () -> asked.getAndIncrement() * step;

        assertThat(MappingFixture.of(time, mappingBuilder).actions("a", "{'list':[1,2,3]}"))
                .hasSize(3);
        asked.set(0);
        assertThat(MappingFixture.of(time, mappingBuilder).map("a", "{'list':[1,2,3,4]}"))
                .isEqualTo(MappingResult.of(new HookResult.Busy(
                        "Mapping [slow] took longer than 2 s for the elements of its list. Nothing was accepted.",
                        Duration.ofSeconds(1))));
    }

    @Test
    void tellsTheKeysOfAMappingApartByItsId() {
        MappingFixture mappingFixture = MappingFixture.of(
                agent("a", "m").id("first").text(TextField.IDEMPOTENCY_KEY, "${payload.id}"),
                agent("b", "m").id("second").text(TextField.IDEMPOTENCY_KEY, "${payload.id}"));

        assertThat(((MappingResult.Actions) mappingFixture.map("a", "{'id':42}")).keySpace())
                .isEqualTo("first");
        assertThat(((MappingResult.Actions) mappingFixture.map("b", "{'id':42}")).keySpace())
                .isEqualTo("second");
    }

    @Test
    void showsAScriptTheSameRequestForEachElement() throws IOException {
        Path module = module(
                "each.js",
                "export default ({item, index, headers, query, payload}) => {"
                        + " const before = headers.seen; headers.seen = 'x'; payload.list.push('more');"
                        + " return {text: [item, index, headers['x-a'], query.q, typeof before].join(' ')}; }");
        MappingFixture mappingFixture =
                MappingFixture.of(scriptRegistry, wake("a", "t").forEach("list").transform(module));

        MappingResult.Actions mapped =
                (MappingResult.Actions) mappingFixture.map("a", "{'list':[7,8]}", Map.of("x-a", "A"));
        assertThat(mapped.actions())
                .extracting(action -> ((HookAction.Wake) action).text())
                .containsExactly("7 0 A 1 undefined", "8 1 A 1 undefined");
    }

    @Test
    void doesNothingWhereATemplateStops() throws IOException {
        Path module = module("never.js", "export default () => { throw new Error('never'); };");
        String unlessBot = "<#if (payload.bot)!false><#stop></#if>${payload.text}";
        MappingFixture message =
                MappingFixture.of(scriptRegistry, agent("a", unlessBot).text(TextField.NAME, "n"));
        MappingFixture session = MappingFixture.of(
                scriptRegistry,
                agent("a", "m").text(TextField.SESSION_KEY, "<#stop>").transform(module));
        MappingFixture key =
                MappingFixture.of(scriptRegistry, agent("a", "m").text(TextField.IDEMPOTENCY_KEY, "k<#stop>"));

        assertThat(message.map("a", "{'bot':true,'text':'t'}")).isEqualTo(MappingResult.of(new HookResult.Nothing()));
        assertThat(message(message.map("a", "{'bot':false,'text':'t'}"))).isEqualTo("t");
        assertThat(session.map("a", "{}")).isEqualTo(MappingResult.of(new HookResult.Nothing()));
        assertThat(key(key.map("a", "{}"))).isNull();
    }

    @Test
    void skipsTheElementsForWhichATemplateStops() {
        MappingFixture mappingFixture = MappingFixture.of(
                wake("a", "<#if item % 2 == 0><#stop></#if>${item}").forEach("list"));

        assertThat(mappingFixture.actions("a", "{'list':[1,2,3]}"))
                .extracting(action -> ((HookAction.Wake) action).text())
                .containsExactly("1", "3");
        assertThat(mappingFixture.map("a", "{'list':[2,4]}")).isEqualTo(MappingResult.of(new HookResult.Nothing()));
    }

    @Test
    void skipsTheElementsForWhichAScriptHasNothingToDo() throws IOException {
        Path module = module("odd.js", "export default ({item}) => item % 2 ? undefined : null;");
        MappingFixture mappingFixture = MappingFixture.of(
                scriptRegistry, wake("a", "${item}").forEach("list").transform(module));

        assertThat(mappingFixture.actions("a", "{'list':[1,2,3]}"))
                .extracting(action -> ((HookAction.Wake) action).text())
                .containsExactly("1", "3");
        assertThat(mappingFixture.map("a", "{'list':[2,4]}")).isEqualTo(MappingResult.of(new HookResult.Nothing()));
    }

    @Test
    void showsAScriptTheTemplatedActionAndWhatCameWithThePayload() throws IOException {
        Path module = module(
                "show.js",
                "module.exports = c => ({message: [c.action.message, c.action.action, c.path, c.query.q, c.now,"
                        + " c.headers['x-a'], c.payload.p, typeof c.item].join(' ')});");
        MappingResult.Actions mapped = (MappingResult.Actions)
                MappingFixture.of(scriptRegistry, agent("a", "m").transform(module))
                        .map("a", "{'p':'P'}", Map.of("x-a", "A"));

        assertThat(((AgentTurn) mapped.actions().get(0)).message())
                .isEqualTo("m agent a 1 2026-11-21T03:00:00Z A P undefined");
    }

    @Test
    void letsAScriptChangeTheActionAndNameItsSession() throws IOException {
        Path module = module(
                "change.js",
                "export const transform = ({payload}) => payload.wake ? {action: 'wake'} : {sessionKey: 'hook:s'};");
        MappingFixture mappingFixture =
                MappingFixture.of(scriptRegistry, agent("a", "m").transform(module));

        assertThat(((HookAction.Wake)
                                mappingFixture.actions("a", "{'wake':true}").get(0))
                        .text())
                .isEqualTo("m");
        AgentTurn turn = (AgentTurn) mappingFixture.actions("a", "{}").get(0);
        assertThat(turn.sessionKey()).isEqualTo("hook:s");
        assertThat(turn.sessionKeySource()).isEqualTo(KeySource.SCRIPT);
    }

    @Test
    void takesKindForActionUnlessItIsAnyOtherWord() throws IOException {
        Path module = module("kind.js", "export default ({payload}) => ({kind: payload.kind, text: 'event'});");
        MappingFixture mappingFixture =
                MappingFixture.of(scriptRegistry, agent("a", "m").transform(module));

        assertThat(mappingFixture.actions("a", "{'kind':'push'}").get(0)).isInstanceOf(AgentTurn.class);
        assertThat(mappingFixture.actions("a", "{'kind':'wake'}").get(0))
                .isInstanceOfSatisfying(
                        HookAction.Wake.class, wake -> assertThat(wake.text()).isEqualTo("event"));
    }

    @Test
    void letsATemplateAndAScriptChooseWhoseEventAWakeIs() throws IOException {
        Path module =
                module("agent.js", "export default ({payload}) => payload.other ? {agentId: payload.other} : {};");
        MappingFixture mappingFixture = MappingFixture.of(
                scriptRegistry,
                wake("a", "t").text(TextField.AGENT_ID, "${payload.agent}").transform(module));

        assertThat(mappingFixture.actions("a", "{'agent':'ops','other':'dev'}"))
                .extracting(action -> ((HookAction.Wake) action).agentId())
                .containsExactly("dev");
        assertThat(mappingFixture.actions("a", "{'agent':'ops'}"))
                .extracting(action -> ((HookAction.Wake) action).agentId())
                .containsExactly("ops");
        assertThat(((HookAction.Wake) mappingFixture.actions("a", "{}").get(0)).agentId())
                .isNull();
        assertThat(MappingFixture.result(mappingFixture.map("a", "{'other':7}")))
                .isInstanceOf(HookResult.ScriptFailed.class);
    }

    @Test
    void readsADeliveryAndLetsAScriptChangeItsChannel() throws IOException {
        Path module = module(
                "deliver.js",
                "export default ({payload}) => payload.none ? null : payload.room ? {action: 'deliver', channel: 'ops',"
                        + " to: payload.room} : payload.agent ? {action: 'agent'} : {action: 'deliver'};");
        MappingFixture mappingFixture = MappingFixture.of(
                scriptRegistry, agent("a", " ${payload.text} ").transform(module));

        assertThat(mappingFixture.actions("a", "{'text':'it rains','room':'r1'}"))
                .containsExactly(new HookAction.DirectDelivery("it rains", "ops", "r1", Provenance.untrusted("a")));
        assertThat(mappingFixture.actions("a", "{'text':'it rains'}"))
                .containsExactly(new HookAction.DirectDelivery("it rains", "last", null, Provenance.untrusted("a")));
        assertThat(mappingFixture
                        .actions("a", "{'text':'it rains','agent':true}")
                        .get(0))
                .isInstanceOf(AgentTurn.class);
        assertThat(mappingFixture.map("a", "{'none':true}")).isEqualTo(MappingResult.of(new HookResult.Nothing()));
    }

    @Test
    void keepsTheModeOfAnActionThatAScriptChanges() throws IOException {
        Path module = module("mode.js", "export default ({payload}) => payload;");
        MappingFixture agent = MappingFixture.of(
                scriptRegistry,
                agent("a", "m").text(TextField.WAKE_MODE, "next-heartbeat").transform(module));
        MappingFixture wake = MappingFixture.of(
                scriptRegistry,
                wake("a", "t").text(TextField.WAKE_MODE, "next-heartbeat").transform(module));

        assertThat(((HookAction.Wake) agent.actions("a", "{'action':'wake'}").get(0)).mode())
                .isEqualTo(WakeMode.NEXT_HEARTBEAT);
        assertThat(((AgentTurn) wake.actions("a", "{'action':'agent'}").get(0)).wakeMode())
                .isEqualTo(WakeMode.NEXT_HEARTBEAT);
        assertThat(((HookAction.Wake) wake.actions("a", "{'wakeMode':'now'}").get(0)).mode())
                .isEqualTo(WakeMode.NOW);
        assertThat(wake.actions("a", "{'action':null}").get(0)).isInstanceOf(HookAction.Wake.class);
        assertThat(MappingFixture.result(wake.map("a", "{'wakeMode':'soon'}")))
                .isInstanceOf(HookResult.ScriptFailed.class);
    }

    @Test
    void takesWhatAScriptHandsBackUnchangedForTheTemplates() throws IOException {
        Path module = module("back.js", "export default ({action}) => ({...action, thinking: 'high'});");
        MappingFixture mappingFixture = MappingFixture.of(
                scriptRegistry,
                agent("a", "m")
                        .text(TextField.SESSION_KEY, "fixed")
                        .text(TextField.WAKE_MODE, "${payload.mode}")
                        .transform(module));

        assertThat(((AgentTurn) mappingFixture.actions("a", "{}").get(0)).sessionKeySource())
                .isEqualTo(KeySource.MAPPING);
        assertThat(rejection(mappingFixture.map("a", "{'mode':'soon'}")).field())
                .isEqualTo("wakeMode");
    }

    @Test
    void blamesTheScriptForFieldsOfTheWrongType() throws IOException {
        Path module = module("wrong.js", "export default () => ({deliver: 'false'});");
        MappingResult mapped = MappingFixture.of(scriptRegistry, agent("a", "m").transform(module))
                .map("a", "{}");

        assertThat(MappingFixture.result(mapped))
                .isInstanceOfSatisfying(HookResult.ScriptFailed.class, broken -> assertThat(broken.sentence())
                        .contains("[test]", "deliver"));
    }

    @Test
    void namesTheScriptsLineButNotWhatItSaid() throws IOException {
        Path module = module("throws.js", "export default ({payload}) => {\n  throw new Error(payload.secret);\n};");
        MappingResult mapped = MappingFixture.of(scriptRegistry, agent("a", "m").transform(module))
                .map("a", "{'secret':'c4nary'}");

        assertThat(MappingFixture.result(mapped)).isInstanceOfSatisfying(HookResult.ScriptFailed.class, broken -> {
            assertThat(broken.sentence()).contains("throws.js:2:").doesNotContain("c4nary");
            assertThat(broken.detail()).contains("c4nary");
        });
    }

    @Test
    void asksTheSenderToComeAgainOnceItsScriptIsNoLongerSwitchedOff() throws IOException {
        Path module = module("endless.js", "export default () => { for (;;) {} };");
        MappingFixture mappingFixture =
                MappingFixture.of(scriptRegistry, agent("a", "m").id("endless").transform(module));
        for (int i = 0; i < 5; i++) {
            assertThat(MappingFixture.result(mappingFixture.map("a", "{}")))
                    .isInstanceOf(HookResult.ScriptFailed.class);
        }

        assertThat(MappingFixture.result(mappingFixture.map("a", "{}")))
                .isEqualTo(new HookResult.Busy(
                        "Mapping [endless]: the transform [endless.js] is switched off for a minute,"
                                + " for it was ended 5 times within one. Nothing was accepted.",
                        Duration.ofMinutes(1)));
    }

    @Test
    void reportsAScriptThatDoesNotCompileWithItsPlace() throws IOException {
        Path module = module("broken.ts", "export default () => {\n  const = 1;\n};");
        assertThat(MappingFixture.compile(scriptRegistry, agent("a", "m").transform(module))
                        .problems())
                .first()
                .asString()
                .startsWith("hooks.mappings[0].transform.module [postern.yaml line 9]: broken.ts line 2, column ");
    }

    @Test
    void namesNoPlaceOfAProblemThatIsTheFileAsAWhole() throws IOException {
        Path module = module("none.js", "exports.other = 1;");
        assertThat(MappingFixture.compile(scriptRegistry, agent("a", "m").transform(module))
                        .problems())
                .singleElement()
                .asString()
                .startsWith("hooks.mappings[0].transform.module [postern.yaml line 9]: none.js: ");
    }

    @Test
    void runsTheExampleThatIsShipped() throws IOException {
        Path module = module("by-severity.ts", Files.readString(Path.of("webapp-config/transforms/by-severity.ts")));
        MappingFixture mappingFixture =
                MappingFixture.of(scriptRegistry, agent("a", "disk full").transform(module));

        assertThat(mappingFixture.map("a", "{'severity':'info'}"))
                .isEqualTo(MappingResult.of(new HookResult.Nothing()));
        assertThat(((AgentTurn) mappingFixture
                                .actions("a", "{'labels':{'severity':'Critical'}}")
                                .get(0))
                        .message())
                .isEqualTo("[critical] disk full");
        assertThat(((AgentTurn) mappingFixture.actions("a", "{}").get(0)).thinking())
                .isNull();
    }

    private Path module(String name, String source) throws IOException {
        return Files.writeString(root.resolve(name), source).toRealPath();
    }

    private static HookRequest bare(String hook) {
        return HookRequest.bare(hook, new byte[0], null, MappingFixture.NOW);
    }

    private static String message(MappingResult mapped) {
        return ((AgentTurn) ((MappingResult.Actions) mapped).actions().get(0)).message();
    }

    private static @Nullable String key(MappingResult mapped) {
        return ((MappingResult.Actions) mapped).idempotencyKey();
    }

    private static Rejection rejection(MappingResult mapped) {
        return ((HookResult.Rejected) MappingFixture.result(mapped)).rejection();
    }

    private static AgentTurn turn(MappingFixture mappingFixture, String hook) {
        return (AgentTurn) mappingFixture.actions(hook, "{}").get(0);
    }
}
