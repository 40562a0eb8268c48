package dev.postern.mapping.script.rhino;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.mozilla.javascript.Context;

/** A test of what the console of a script costs, which no result of the script shows. */
class ScriptGlobalsTest {

    @Test
    void consoleRepeatsALongTextNoMoreThanAnybodyReads() {
        List<String> lines = new ArrayList<>();
        new SandboxContextFactory().compiling(true, () -> {
            Context context = Context.getCurrentContext();
            return context.evaluateString(
                    ScriptGlobals.fresh(context, lines::add),
                    "var s = 'x'.repeat(30000); console.log.apply(console, [s, s, s, s]); console.log('a', s, 'b')",
                    "long.js",
                    1,
                    null);
        });

        assertThat(lines).hasSize(2).allSatisfy(line -> assertThat(line).hasSizeBetween(10_000, 10_010));
    }
}
