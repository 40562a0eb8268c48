package dev.postern.mapping.script;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
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

/** A test that the problems of a module come with their position in the file as written. */
@TestInstance(Lifecycle.PER_CLASS)
class ScriptProblemTest {

    private Path directory;
    private TransformFixture transformFixture;

    @BeforeAll
    void open(@TempDir Path directory) throws IOException {
        this.directory = directory;
        transformFixture =
                new TransformFixture(Files.createDirectory(directory.resolve("transforms")), TransformFixture.PATIENT);
    }

    @AfterAll
    void close() {
        transformFixture.close();
    }

    @Test
    void placesASyntaxError() {
        assertThat(transformFixture.problems("syntax.ts", "export default () => {\n  const a: number = ;\n};"))
                .containsExactly(new ScriptProblem("syntax.ts", 2, 21, "Expression expected."));
    }

    @Test
    void namesEverySyntaxError() {
        assertThat(transformFixture.problems("two.js", "let a = ;\nlet b = ;\n"))
                .extracting(ScriptProblem::line)
                .containsExactly(1, 2);
    }

    @Test
    void placesASyntaxErrorInWhatIsImported() {
        transformFixture.write("broken/part.ts", "\n\n  export const = 1;\n");
        assertThat(transformFixture.problems("whole.ts", "import {x} from './broken/part';\nexport default () => x;"))
                .first()
                .isEqualTo(new ScriptProblem("broken/part.ts", 3, 16, "Variable declaration expected."));
    }

    @Test
    void placesWhatRhinoDoesNotTake() {
        assertThat(transformFixture.problems("flag.js", "export default () =>\n  /a/v.test('a');"))
                .singleElement()
                .satisfies(problem -> assertThat(problem.line()).isEqualTo(2));
    }

    @ParameterizedTest
    @ValueSource(strings = {"/a/iu", "/\\p{Emoji}/u", "/(?i:a)b/", "/(/"})
    void placesARegularExpressionThatRhinoDoesNotTake(String expression) {
        assertThat(transformFixture.problems(
                        "expression" + expression.length() + ".ts",
                        "type A = 1;\nexport default () => {\n  /[a/]/u.test('a');\n  return " + expression
                                + ".test('a');\n};"))
                .singleElement()
                .satisfies(problem -> {
                    assertThat(problem.line()).isEqualTo(4);
                    assertThat(problem.sentence()).startsWith("SyntaxError: ");
                });
    }

    @Test
    void placesAnErrorOfTheTopLevel() {
        assertThat(transformFixture.problems(
                        "top.ts",
                        "type T = {\n  a: number;\n};\n\n  const x: any = null; x.y;\nexport default () => 1;"))
                .singleElement()
                .hasToString("top.ts:5:24: the module failed with TypeError: Cannot read property \"y\" from null");
    }

    @Test
    void placesAnErrorBehindTypesThatTakeLines() {
        String text =
                """
                interface Payload {
                  a: string;
                }

                export default async ({payload}: {payload: Payload}) => {
                  const upper = payload.a.toUpperCase();
                    return {message: missing + upper};
                };""";
        ScriptResult.Failed failed = TransformFixture.failed(transformFixture.run("lines.ts", text, "{\"a\": \"x\"}"));
        assertThat(failed.sentence()).isEqualTo("the transform [lines.ts] failed with ReferenceError at lines.ts:7:5");
    }

    @Test
    void placesAnErrorInWhatIsImported() {
        transformFixture.write(
                "lib/part.ts", "type A = 1;\ntype B = 2;\nexport function part(x: any) {\n    return x.y.z;\n}\n");
        ScriptResult.Failed failed = TransformFixture.failed(transformFixture.run(
                "calls.ts", "import {part} from './lib/part';\nexport default () => part({});", "{}"));
        assertThat(failed.sentence()).isEqualTo("the transform [calls.ts] failed with TypeError at lib/part.ts:4:5");
    }

    @Test
    void placesALoopWithoutEnd() {
        ScriptResult.Failed failed = TransformFixture.failed(
                transformFixture.run("loop.ts", "type A = 1;\nexport default () => {\n  for (;;) {}\n};", "{}"));
        assertThat(failed.sentence()).isEqualTo("the transform [loop.ts] ran past its CPU time at loop.ts:3:3");
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "for (const i of [1, 2]) { # if (i === 2) { # payload.x.y(); # } # } | 4",
                "const first = 1; # for (const i of payload.none) { # first; # } | 3",
                "const first = 1; # const [a, b] = payload.none; | 3",
                "const first = 1; # return {list: [...[1], ...payload.none]}; | 3",
                "const made = new Error('x'); # if (payload) { # throw made; # } | 2",
                "const first = 1; # throw new OwnError('x'); | 3",
                "for (const i of [1]) { # throw new OwnError('x'); # } | 3",
                "try { # payload.x.y(); # } catch (e) { # throw e; # } | 3",
                "const call = async () => { # for await (const i of payload.none) {} # }; # return call(); | 3",
                "const call = async () => { # await null; # throw new OwnError('x'); # }; # return call(); | 4",
            })
    void placesAnErrorWhereItBegan(String body, int line) {
        String name = "began" + Integer.toHexString(body.hashCode()) + ".ts";
        String text = "'use strict'; class OwnError extends Error { constructor(m: string) { super(m); } }"
                + " export default ({payload}: any) => {\n" + body.replace(" # ", "\n") + "\n};";
        ScriptResult.Failed failed = TransformFixture.failed(transformFixture.run(name, text, "{}"));
        assertThat(failed.sentence()).contains(" at " + name + ":" + line + ":");
    }

    @Test
    void placesAnErrorInAFileWithASpaceInItsName() {
        ScriptResult.Failed failed = TransformFixture.failed(
                transformFixture.run("two words.js", "module.exports = () => {\n  throw new Error('x');\n};", "{}"));
        assertThat(failed.sentence()).endsWith(" at two words.js:2:3");
    }

    @ParameterizedTest
    @ValueSource(strings = {"for (const i of payload.none) {}", "const [a] = payload.none;", "[...payload.none];"})
    void saysThatUndefinedIsNotIterable(String statement) {
        String name = "iterates" + Integer.toHexString(statement.hashCode()) + ".js";
        ScriptResult.Failed failed = TransformFixture.failed(
                transformFixture.run(name, "export default ({payload}) => { " + statement + " };", "{}"));
        assertThat(failed.detail()).isEqualTo("undefined is not iterable");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "class Own extends Error {} const e = new Own('x');",
                "const e = Object.setPrototypeOf(new Error('x'), {});",
                "const e = Object.setPrototypeOf(new Error('x'), null);"
            })
    void showsAScriptTheStackOfItsOwnErrors(String makesError) {
        String name = "own" + Integer.toHexString(makesError.hashCode()) + ".js";
        String text = "export default () => { " + makesError + " return {message: e.stack}; };";
        assertThat(transformFixture.returned(name, text, "{}").path("message").asText())
                .contains("at " + name + ":");
    }

    @Test
    void leavesPlacesOutThatAScriptMadeUp() {
        String text =
                "module.exports = () => {\n  throw Object.assign(new Error('x'), {stack: ' at made.js:1 (up)'});\n};";
        ScriptResult.Failed failed = TransformFixture.failed(transformFixture.run("stack.js", text, "{}"));
        assertThat(failed.sentence()).endsWith(" at stack.js:2:3");
    }

    @Test
    void saysWhatToExport() {
        assertThat(transformFixture.problems("nothing.ts", "const a = 1;"))
                .singleElement()
                .hasToString("nothing.ts: the module exports no function [default] and none of the name [transform];"
                        + " write export default function (context) { … }");
        Path module = transformFixture.write("other.ts", "export const other = () => 1;");
        assertThat(transformFixture.scriptRegistry.prepare(module, "wanted"))
                .singleElement()
                .hasToString("other.ts: the module exports no function [wanted];"
                        + " write export function wanted(context) { … }");
    }

    @Test
    void refusesBigIntLiterals() {
        assertThat(transformFixture.problems("big.js", "export default () =>\n  7n ** 5n;"))
                .extracting(ScriptProblem::line, ScriptProblem::column)
                .containsExactly(org.assertj.core.groups.Tuple.tuple(2, 3), org.assertj.core.groups.Tuple.tuple(2, 9));
    }

    @Test
    void refusesPackagesByName() {
        assertThat(transformFixture.problems(
                        "bare.ts", "import {readFileSync} from 'fs';\nexport default () => readFileSync('x');"))
                .singleElement()
                .satisfies(problem -> {
                    assertThat(problem.toString())
                            .startsWith("bare.ts:1:1: the import [fs] is not part of the transforms root");
                });
    }

    @Test
    void saysWhichImportIsNotThere() {
        assertThat(transformFixture.problems(
                        "lost.js", "\nconst gone = require('./gone');\nmodule.exports = () => gone;"))
                .containsExactly(new ScriptProblem(
                        "lost.js", 2, 1, "there is no file for the import [./gone]; create it, or mend the name"));
    }

    @Test
    void refusesAnImportThatLeadsOut() throws IOException {
        Files.writeString(directory.resolve("outside.js"), "exports.x = 1;");
        assertThat(transformFixture.problems("out.js", "import {x} from '../outside';\nexport default () => x;"))
                .singleElement()
                .satisfies(problem -> assertThat(problem.sentence()).contains("leads out of the transforms root"));
    }

    @Test
    void refusesALinkThatLeadsOut() throws IOException {
        Path outside = Files.writeString(directory.resolve("linked.js"), "exports.x = 1;");
        Files.createSymbolicLink(transformFixture.root.resolve("link.js"), outside);
        assertThat(transformFixture.problems("links.js", "import {x} from './link';\nexport default () => x;"))
                .singleElement()
                .satisfies(problem -> assertThat(problem.sentence()).contains("outside the transforms root"));
        assertThat(TransformFixture.failed(transformFixture.run(transformFixture.root.resolve("link.js"), "{}"))
                        .sentence())
                .contains("outside the transforms root");
        assertThat(transformFixture.scriptRegistry.prepare(Path.of("../linked.js"), null))
                .singleElement()
                .satisfies(problem -> assertThat(problem.sentence()).contains("outside the transforms root"));
    }

    @Test
    void saysThatAModuleIsNotThere() {
        assertThat(transformFixture.scriptRegistry.prepare(Path.of("none.ts"), null))
                .singleElement()
                .hasToString("none.ts: there is no such file under the transforms root; create it, or mend the name");
    }

    @Test
    void refusesASourceThatIsNestedTooDeeply() {
        String deep = "(".repeat(50_000) + "1" + ")".repeat(50_000);
        assertThat(transformFixture.problems("nested.js", "export default () => " + deep + ";"))
                .singleElement()
                .satisfies(problem -> assertThat(problem.file()).isEqualTo("nested.js"));
        assertThat(transformFixture.problems("after.js", "export default () => null;"))
                .isEmpty();
    }

    @Test
    void placesAFaultInAJsonFile() {
        transformFixture.write("table.json", "{\n  \"a\": ,\n}");
        assertThat(transformFixture.problems(
                        "json.js", "const t = require('./table.json');\nmodule.exports = () => t;"))
                .singleElement()
                .satisfies(problem -> {
                    assertThat(problem.file()).isEqualTo("table.json");
                    assertThat(problem.line()).isEqualTo(2);
                });
    }
}
