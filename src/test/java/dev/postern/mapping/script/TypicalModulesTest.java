package dev.postern.mapping.script;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.TestInstance.Lifecycle;
import org.junit.jupiter.api.io.TempDir;

/** A test of transforms as operators write them. */
@TestInstance(Lifecycle.PER_CLASS)
class TypicalModulesTest {

    private static final String PAYLOAD =
            """
            {"title": "Disk", "items": [{"id": 1, "state": "open"}, {"id": 2, "state": "closed"}], "user": {"name": "Ada"}}""";

    private TransformFixture transformFixture;

    @BeforeAll
    void open(@TempDir Path root) {
        transformFixture = new TransformFixture(root);
    }

    @AfterAll
    void close() {
        transformFixture.close();
    }

    private String message(String name, String text) {
        return transformFixture.returned(name, text, PAYLOAD).path("message").asText();
    }

    @Test
    void reportsAnErrorThatIsThrown() {
        ScriptResult.Failed failed = TransformFixture.failed(transformFixture.run(
                "throws.ts", "export default () => {\n  throw new RangeError('Ada');\n};\n", PAYLOAD));
        assertThat(failed.sentence()).isEqualTo("the transform [throws.ts] failed with RangeError at throws.ts:2:3");
        assertThat(failed.detail()).isEqualTo("Ada");
    }

    @Test
    void callsADefaultExport() {
        assertThat(message("default.mjs", "export default function (c) { return {message: c.payload.title}; }"))
                .isEqualTo("Disk");
    }

    @Test
    void callsTheExportNamedTransform() {
        assertThat(message("named.mjs", "export const transform = ({payload}) => ({message: payload.title});"))
                .isEqualTo("Disk");
    }

    @Test
    void callsTheExportThatIsAskedFor() {
        Path module = transformFixture.write(
                "several.ts",
                "export default () => ({message: 'no'});\nexport function push() { return {message: 'yes'}; }");
        ScriptResult result = transformFixture.scriptRegistry.run(module, "push", TransformFixture.input(PAYLOAD));
        assertThat(TransformFixture.fields(result).path("message").asText()).isEqualTo("yes");
    }

    @Test
    void callsACommonJsFunction() {
        assertThat(message("plain.cjs", "module.exports = function (c) { return {message: c.headers['x-event']}; };"))
                .isEqualTo("push");
    }

    @Test
    void callsACommonJsMember() {
        assertThat(message("member.js", "exports.transform = c => ({message: c.action.message});"))
                .isEqualTo("as templated");
    }

    @Test
    void runsClassesWithPrivateFieldsAndInheritance() {
        String text =
                """
                class Base { #n = 1; static of() { return new this(); } get n() { return this.#n; } name() { return 'base'; } }
                class Sub extends Base { name() { return super.name() + this.n; } }
                class Oops extends Error { constructor(m: string) { super(m); this.name = 'Oops'; } }
                export default () => ({message: Sub.of().name() + (new Oops('x') instanceof Error)});""";
        assertThat(message("classes.ts", text)).isEqualTo("base1true");
    }

    @Test
    void runsAsyncFunctions() {
        String text =
                """
                const later = async (n) => n * 2;
                export default async ({payload}) => {
                  let sum = 0;
                  for (const item of payload.items) sum += await later(item.id);
                  const all = await Promise.allSettled([later(1), Promise.reject(new Error('no'))]);
                  async function* count() { yield 1; yield 2; }
                  for await (const n of count()) sum += n;
                  return {message: sum + all.map(one => one.status).join()};
                };""";
        assertThat(message("async.js", text)).isEqualTo("9fulfilled,rejected");
    }

    @Test
    void runsSpreadAndRest() {
        String text =
                """
                export default ({payload: {items: [first, ...others], ...rest}}) => {
                  const {title, ...more} = {...rest, extra: 1};
                  return {message: [Math.max(...[1, 5, 3]), first.id, others.length, title, ...Object.keys(more)].join()};
                };""";
        assertThat(message("spread.mjs", text)).isEqualTo("5,1,1,Disk,user,extra");
    }

    @Test
    void runsOptionalChainingAndItsKin() {
        String text =
                """
                export default ({payload}) => {
                  let a = payload.none?.deep.deeper ?? 'none';
                  a ||= 'x';
                  return {message: `${a} ${payload.user?.name} ${payload.f?.()} ${2 ** 10}`};
                };""";
        assertThat(message("chaining.js", text)).isEqualTo("none Ada undefined 1024");
    }

    @Test
    void keepsALoopsVariablesApart() {
        String text =
                """
                export default () => {
                  const all = [];
                  for (let i = 0; i < 3; i++) all.push(() => i);
                  for (const k in {a: 1, b: 2}) all.push(() => k);
                  return {message: all.map(f => f()).join()};
                };""";
        assertThat(message("closures.js", text)).isEqualTo("0,1,2,a,b");
    }

    @Test
    void runsEnumsNamespacesAndInterfaces() {
        String text =
                """
                enum State { Open = 'open', Closed = 'closed' }
                const enum Level { Low, High }
                namespace Words { export const of = (s: State): string => s.toUpperCase(); }
                interface Item { id: number; state: State }
                type Payload = { items: Item[] };
                abstract class Named<T> { constructor(protected readonly of: T) {} }
                class One extends Named<Item> { text(): string { return Words.of(this.of.state) + Level.High; } }
                export default ({payload}: {payload: Payload}) => ({message: new One(payload.items[0]!).text()});""";
        assertThat(message("types.ts", text)).isEqualTo("OPEN1");
    }

    @Test
    void importsItsNeighbours() {
        transformFixture.write(
                "lib/words.ts", "export const loud = (s: string) => s.toUpperCase();\nexport type T = string;");
        transformFixture.write("lib/index.js", "exports.end = '!';");
        transformFixture.write("lib/table.json", "{\"Ada\": \"Lovelace\"}");
        String text =
                """
                import {loud, type T} from './lib/words';
                import * as lib from './lib';
                import table from './lib/table.json';
                const t: T = loud(table.Ada);
                export default () => ({message: t + lib.end});""";
        assertThat(message("imports.ts", text)).isEqualTo("LOVELACE!");
    }

    @Test
    void importsInACircle() {
        transformFixture.write("ring/a.js", "import {b} from './b.js';\nexport const a = () => 'a' + b();");
        transformFixture.write("ring/b.js", "import {a} from './a.js';\nexport const b = () => typeof a;");
        assertThat(message("ring.js", "import {a} from './ring/a';\nexport default () => ({message: a()});"))
                .isEqualTo("afunction");
    }

    @Test
    void runsGeneratorsMapsAndSets() {
        String text =
                """
                function* ids(items) { for (const {id} of items) yield id; }
                export default ({payload}) => {
                  const map = new Map([...ids(payload.items)].map(id => [id, id * 10]));
                  return {message: [...map.values(), ...new Set([1, 1, 2])].join()};
                };""";
        assertThat(message("generators.js", text)).isEqualTo("10,20,1,2");
    }

    @Test
    void runsRegularExpressions() {
        String text =
                """
                export default () => {
                  const {groups} = /(?<year>\\d{4})-(?<month>\\d\\d)/u.exec('on 2026-11-20');
                  return {message: groups.year + 'a-b-c'.replaceAll('-', '+') + [...'a1b2'.matchAll(/\\d/g)].length};
                };""";
        assertThat(message("regular.ts", text)).isEqualTo("2026a+b+c2");
    }

    @Test
    void showsItsMomentAsTheTime() {
        String text =
                "export default () => ({message: new Date().toISOString() + ' ' + Date.now() + ' ' + new Date(0).getHours()});";
        assertThat(message("clock.js", text)).isEqualTo("2026-11-20T12:00:00.000Z 1795176000000 0");
    }

    @Test
    void takesNullAsNothingToDo() {
        assertThat(transformFixture.run("null.js", "export default () => null;", PAYLOAD))
                .isEqualTo(new ScriptResult.Nothing());
    }

    @Test
    void takesUndefinedAsNoChange() {
        assertThat(transformFixture.run("undefined.js", "export default async () => {};", PAYLOAD))
                .isEqualTo(new ScriptResult.Unchanged());
    }
}
