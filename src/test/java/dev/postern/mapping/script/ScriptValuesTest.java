package dev.postern.mapping.script;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.node.DecimalNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.math.BigDecimal;
import java.nio.file.Path;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.TestInstance.Lifecycle;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** A test of the values that go into a transform and come out of it. */
@TestInstance(Lifecycle.PER_CLASS)
class ScriptValuesTest {

    private TransformFixture transformFixture;

    @BeforeAll
    void open(@TempDir Path root) {
        transformFixture = new TransformFixture(root);
    }

    @AfterAll
    void close() {
        transformFixture.close();
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "`text` | a string",
                "5 | a number",
                "true | a boolean",
                "[1] | an array",
                "() => 1 | a function",
                "Symbol(`s`) | a symbol",
                "new Map() | a Map",
                "new Date() | a Date",
                "Promise.resolve(`text`) | a string",
            })
    void refusesWhatIsNoObject(String value, String kind) {
        String name = "refused" + Integer.toHexString(value.hashCode()) + ".js";
        ScriptResult.Failed failed =
                TransformFixture.failed(transformFixture.run(name, "export default () => (" + value + ");", "{}"));
        assertThat(failed.sentence())
                .isEqualTo("the transform [" + name + "] returned " + kind + "; return an object, undefined or null");
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "(1234.5).toLocaleString() | 1,234.5",
                "(1234567.8915).toLocaleString('en-US') | 1,234,567.892",
                "NaN.toLocaleString() | NaN",
            })
    void writesNumbersAsInEnglish(String number, String text) {
        String name = "number" + Integer.toHexString(number.hashCode()) + ".js";
        ScriptResult result = transformFixture.run(name, "export default () => ({message: " + number + "});", "{}");
        assertThat(TransformFixture.fields(result).path("message").asText()).isEqualTo(text);
    }

    @ParameterizedTest
    @ValueSource(strings = {"'de-DE'", "'en-US', {style: 'currency', currency: 'USD'}"})
    void saysThatNumbersHaveNoOtherForm(String arguments) {
        String name = "form" + Integer.toHexString(arguments.hashCode()) + ".js";
        ScriptResult.Failed failed = TransformFixture.failed(transformFixture.run(
                name, "export default () => ({message: (1.5).toLocaleString(" + arguments + ")});", "{}"));
        assertThat(failed.detail()).contains("there is no Intl here");
    }

    @ParameterizedTest
    @CsvSource({
        "2015-05-17 18:08:09 UTC, 2015-05-17T18:08:09.000Z",
        "2015-05-17 18:08:09 (UTC), 2015-05-17T18:08:09.000Z",
        "2015-05-17 18:08:09Z, 2015-05-17T18:08:09.000Z",
        "2015-05-17 18:08:09, 2015-05-17T18:08:09.000Z",
        "2015-05-17 18:08, 2015-05-17T18:08:00.000Z",
        "2015-05-17 18:08:09.123456, 2015-05-17T18:08:09.123Z",
        "2015-05-17 18:08:09.1 UTC, 2015-05-17T18:08:09.100Z",
        "2015-05-17 18:08:09 +0200, 2015-05-17T16:08:09.000Z",
        "2015-05-17 18:08:09-05:30, 2015-05-17T23:38:09.000Z",
        "2015-13-17 18:08:09 UTC, Invalid Date",
        "2015-05-17 18:08:09 EST, Invalid Date",
    })
    void readsTimesWithASpace(String time, String iso) {
        Path module = transformFixture.write(
                "times.js",
                """
                export default ({payload}) => {
                  const times = [new Date(payload), new Date(Date.parse(payload))];
                  return {message: times.map(each => isNaN(each) ? String(each) : each.toISOString()).join('|')};
                };""");
        assertThat(TransformFixture.fields(transformFixture.run(module, '"' + time + '"'))
                        .path("message")
                        .asText())
                .isEqualTo(iso + "|" + iso);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "new Date(0).toLocaleString('en-US', {hour12: false})",
                "new Date(0).toLocaleDateString('en', {timeZone: 'UTC', dateStyle: 'long'})",
                "new Date(0).toLocaleTimeString(undefined, {hour: '2-digit'})",
                "'2'.localeCompare('10', undefined, {numeric: true})",
                "'a'.localeCompare('A', 'en', {sensitivity: 'base'})",
            })
    void refusesOptionsThatItWouldIgnore(String call) {
        String name = "option" + Integer.toHexString(call.hashCode()) + ".js";
        ScriptResult.Failed failed = TransformFixture.failed(
                transformFixture.run(name, "export default () => ({message: " + call + "});", "{}"));
        assertThat(failed.sentence()).contains("failed with TypeError");
        assertThat(failed.detail()).contains("there is no Intl here");
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "new Date(1e12).toLocaleString() | 9/9/01, 1:46 AM",
                "new Date(1e12).toLocaleString('en-US', {}) | 9/9/01, 1:46 AM",
                "new Date(1e12).toLocaleString('de-DE') | 09.09.01, 01:46",
                "new Date(1e12).toLocaleString('en-US', {timeZone: 'Asia/Tokyo'}) | 9/9/01, 10:46 AM",
                "new Date(1e12).toLocaleDateString('en', {timeZone: 'America/New_York'}) | 9/8/01",
                "new Date(1e12).toLocaleTimeString('en', {timeZone: 'UTC', hour12: undefined}) | 1:46 AM",
                "[new Date(1e12).toLocaleString('en', {timeZone: 'Asia/Tokyo'}), new Date(1e12).getHours()][1] | 1",
                "`a`.localeCompare('b', 'en', {}) | -1",
            })
    void writesTimesInTheZoneThatIsAskedFor(String call, String text) {
        String name = "zone" + Integer.toHexString(call.hashCode()) + ".js";
        ScriptResult result = transformFixture.run(name, "export default () => ({message: " + call + "});", "{}");
        // Later JDKs have a narrow space before AM.
        assertThat(TransformFixture.fields(result).path("message").asText().replace('\u202f', ' '))
                .isEqualTo(text);
    }

    @Test
    void refusesATimeZoneThatIsNotKnown() {
        ScriptResult.Failed failed = TransformFixture.failed(transformFixture.run(
                "zone.js",
                "export default () => ({message: new Date(0).toLocaleString('en', {timeZone: 'Mars'})});",
                "{}"));
        assertThat(failed.sentence()).contains("failed with RangeError");
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "btoa(`hello`) | aGVsbG8=",
                "atob(`aGVs\\nbG8=`) | hello",
                "atob(`aGVsbG8`) | hello",
                "decodeURIComponent(escape(atob(`w6Q=`))) | ä",
                "btoa(`\\xff`) | /w==",
            })
    void convertsBase64(String call, String text) {
        String name = "base64" + Integer.toHexString(call.hashCode()) + ".js";
        ScriptResult result = transformFixture.run(name, "export default () => ({message: " + call + "});", "{}");
        assertThat(TransformFixture.fields(result).path("message").asText()).isEqualTo(text);
    }

    @ParameterizedTest
    @ValueSource(strings = {"btoa('\u20ac')", "atob('a')", "atob('*===')"})
    void refusesWhatIsNoBase64(String call) {
        String name = "nobase64" + Integer.toHexString(call.hashCode()) + ".js";
        ScriptResult.Failed failed = TransformFixture.failed(
                transformFixture.run(name, "export default () => ({message: " + call + "});", "{}"));
        assertThat(failed.sentence()).contains("failed with Error at " + name + ":1:");
    }

    @Test
    void takesWhatAPromiseOfAPromiseSettlesWith() {
        String text = "export default () => ({then(one) { one({then(two) { two({message: 'at last'}); }}); }});";
        assertThat(TransformFixture.fields(transformFixture.run("nested.js", text, "{}"))
                        .path("message")
                        .asText())
                .isEqualTo("at last");
    }

    @Test
    void refusesAPromiseThatNothingSettles() {
        ScriptResult.Failed failed = TransformFixture.failed(
                transformFixture.run("pending.js", "export default () => new Promise(() => {});", "{}"));
        assertThat(failed.sentence()).contains("returned a promise that nothing settles");
    }

    @Test
    void saysWithWhatAPromiseWasRejected() {
        String text = "export default async () => {\n  await 1;\n  throw new TypeError('secret');\n};";
        ScriptResult.Failed failed = TransformFixture.failed(transformFixture.run("rejected.js", text, "{}"));
        assertThat(failed.sentence()).isEqualTo("the transform [rejected.js] failed with TypeError at rejected.js:3:3");
        assertThat(failed.detail()).isEqualTo("secret");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "throw 'secret'",
                "throw {secret: 1}",
                "throw Object.assign(new Error('secret'), {name: 'secret'})"
            })
    void keepsAScriptsOwnWordsFromTheSender(String statement) {
        String name = "thrown" + statement.length() + ".js";
        ScriptResult.Failed failed = TransformFixture.failed(
                transformFixture.run(name, "export default () => { " + statement + "; };", "{}"));
        assertThat(failed.sentence()).doesNotContain("secret").contains(name + ":1:");
    }

    @Test
    void refusesAPayloadThatIsNestedTooDeeply() {
        String payload = "[".repeat(300) + "]".repeat(300);
        ScriptResult.Failed failed = TransformFixture.failed(
                transformFixture.run("deep.js", "export default () => ({message: 'x'});", payload));
        assertThat(failed.sentence()).contains("nested more than 200 deep");
    }

    @Test
    void refusesAResultThatHoldsItself() {
        ScriptResult.Failed failed = TransformFixture.failed(
                transformFixture.run("cycle.js", "export default () => { const a = {}; a.a = [a]; return a; };", "{}"));
        assertThat(failed.sentence()).endsWith("returned an object that holds itself");
    }

    @Test
    void handsNumbersOverToTheLastDigit() {
        String payload =
                """
                {"id": 1234567890123456789, "edge": 9007199254740993, "exact": 9007199254740992, "negative": -9007199254740993,
                 "price": 19.99, "small": 7, "zero": 0, "huge": 1e400}""";
        String text = "export default ({payload}) => payload;";
        assertThat(transformFixture.returned("numbers.js", text, payload).toString())
                .isEqualTo("{\"id\":\"1234567890123456789\",\"edge\":\"9007199254740993\",\"exact\":9007199254740992,"
                        + "\"negative\":\"-9007199254740993\",\"price\":19.99,\"small\":7,\"zero\":0,\"huge\":null}");
    }

    @ParameterizedTest
    @CsvSource({
        "1732104000.123456789, number 1732104000.1234567",
        "0.3333333333333333333333, number 0.3333333333333333",
        "2.0E-23, number 2e-23",
        "1e-400, number 0",
        "12.000, number 12",
        "9007199254740993.5, number 9007199254740994",
        "9007199254740993.0, string 9007199254740993.0",
        "1.5e400, string 1.5E+400",
    })
    void handsFractionsOverAsTheNearestNumbers(String number, String seen) {
        Path module = transformFixture.write(
                "fraction.js", "export default ({payload}) => ({message: typeof payload + ' ' + payload});");
        ObjectNode input = TransformFixture.input("{}");
        input.set("payload", DecimalNode.valueOf(new BigDecimal(number)));
        assertThat(TransformFixture.fields(transformFixture.scriptRegistry.run(module, null, input))
                        .path("message")
                        .asText())
                .isEqualTo(seen);
    }

    @Test
    void readsBackWhatWentIn() {
        String payload =
                """
                {"0":"zero","01":"not an index","__proto__":{"x":1},"constructor":1,"nested":{"list":[1,[],{"a":null}],"t":true},
                 "text":"\\u0000 \\ud83d\\ude00 \\u2028","":"empty","999999999999":1}""";
        assertThat(transformFixture.returned("echo.js", "export default ({payload}) => payload;", payload))
                .isEqualTo(transformFixture.returned(
                        "echo2.js", "export default ({payload}) => JSON.parse(JSON.stringify(payload));", payload));
        assertThat(transformFixture
                        .returned("echo.js", "export default ({payload}) => payload;", payload)
                        .path("nested"))
                .hasToString("{\"list\":[1,[],{\"a\":null}],\"t\":true}");
    }

    @Test
    void writesValuesAsJsonHasThem() {
        String text =
                """
                export default () => ({
                  date: new Date(0), nan: NaN, gone: undefined, f() {}, half: 0.5, whole: 3, list: [undefined, () => 1],
                  own: {toJSON: () => 'mine'}, wrapped: new String('s'), get got() { return 'it'; }
                });""";
        assertThat(transformFixture.returned("values.js", text, "{}").toString())
                .isEqualTo("{\"date\":\"1970-01-01T00:00:00.000Z\",\"nan\":null,\"half\":0.5,\"whole\":3,"
                        + "\"list\":[null,null],\"own\":\"mine\",\"wrapped\":\"s\",\"got\":\"it\"}");
    }

    @Test
    void leavesTheCallersCopyAlone() {
        Path module = transformFixture.write(
                "mutates.js", "export default (c) => { c.payload.a = 2; c.action.message = 'x'; };");
        var input = TransformFixture.input("{\"a\": 1}");
        var before = input.deepCopy();
        assertThat(transformFixture.scriptRegistry.run(module, null, input)).isEqualTo(new ScriptResult.Unchanged());
        assertThat(input).isEqualTo(before);
    }
}
