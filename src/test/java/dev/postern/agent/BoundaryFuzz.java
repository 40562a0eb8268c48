package dev.postern.agent;

import static org.assertj.core.api.Assertions.assertThat;

import com.code_intelligence.jazzer.junit.FuzzTest;
import dev.postern.it.InputCounter;
import dev.postern.model.Provenance;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.extension.RegisterExtension;

/** A fuzz target of the boundary around untrusted content. An input is the content. */
@Tag("fuzz")
class BoundaryFuzz {

    @RegisterExtension
    static final InputCounter INPUTS = new InputCounter("untrusted texts");

    /** A token between bars whose name is made of words. A letter or two may be arithmetic. */
    private static final Pattern BETWEEN_BARS = Pattern.compile("<\\|[a-z]{3,}(?:[_ ][a-z]{3,})*\\|>");

    private final MarkerOracle oracle = new MarkerOracle();
    private final List<Pattern> knownTokens = knownTokens();

    BoundaryFuzz() throws IOException {}

    /** A token that begins with a letter is one at the beginning of a word. */
    private static List<Pattern> knownTokens() throws IOException {
        List<Pattern> tokens = new ArrayList<>();
        ControlTokenFinderTest.families()
                .forEach(family -> family.path("tokens").forEach(entry -> {
                    if (entry.path("must").asBoolean()) {
                        String token = entry.path("token").asText();
                        boolean isWord = Character.isLetter(token.codePointAt(0));
                        tokens.add(Pattern.compile(
                                (isWord ? "(?<!\\p{javaJavaIdentifierPart})" : "") + Pattern.quote(token)));
                    }
                }));
        return tokens;
    }

    @FuzzTest
    void leavesNoMarkerAndNoToken(byte[] bytes) {
        INPUTS.increment();
        String text = new String(bytes, StandardCharsets.UTF_8);

        String defused = Boundary.defused(text);
        assertThat(Boundary.defused(defused)).isSameAs(defused);
        assertThat(knownTokens).noneMatch(token -> token.matcher(defused).find());
        assertThat(oracle.tokens(defused))
                .noneMatch(token -> BETWEEN_BARS.matcher(token).matches());

        String wrapped = Boundary.around(Provenance.untrusted(text), text);
        assertThat(oracle.openings(wrapped)).isEqualTo(1);
        assertThat(oracle.closings(wrapped)).isEqualTo(1);
        assertThat(Boundary.ids(wrapped)).hasSize(1);
        assertThat(wrapped.split("\n", 4)[2]).isEqualTo("---");

        String reply = Boundary.removedFrom(text, Set.of());
        assertThat(oracle.openings(reply)).isZero();
        assertThat(oracle.closings(reply)).isZero();
        assertThat(Boundary.removedFrom(wrapped, Set.of()))
                .doesNotContain(Boundary.ids(wrapped).findFirst().orElseThrow());
    }
}
