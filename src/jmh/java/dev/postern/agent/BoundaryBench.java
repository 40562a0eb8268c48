package dev.postern.agent;

import dev.postern.model.Provenance;
import java.util.concurrent.TimeUnit;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Fork;
import org.openjdk.jmh.annotations.Measurement;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.Warmup;

/**
 * A benchmark of the boundary around texts of 2 and 200 KB: prose, prose of another script, and code full of brackets.
 */
@State(Scope.Benchmark)
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.MICROSECONDS)
@Warmup(iterations = 3, time = 2)
@Measurement(iterations = 3, time = 2)
@Fork(1)
public class BoundaryBench {

    private static final Provenance HOOK = Provenance.untrusted("bench");

    /** What the text is made of. */
    @Param({"prose", "cyrillic", "code"})
    public String kind;

    /** Characters of the text. */
    @Param({"2000", "200000"})
    public int size;

    private String text;

    /** Makes the text. */
    @Setup
    public void start() {
        String part =
                switch (kind) {
                    case "prose" -> "The build of shop/web is red: 3 of 1,204 tests failed. See the log, please. ";
                    case "cyrillic" -> "Сборка магазина упала: 3 из 1204 тестов не прошли. ";
                    default -> "if (a[i] < b[j] && map.get(\"<p>\") != null) { list.add(x -> [1, 2]); } ";
                };
        text = part.repeat(size / part.length() + 1).substring(0, size);
    }

    /** One text. */
    @Benchmark
    public String around() {
        return Boundary.around(HOOK, text);
    }
}
