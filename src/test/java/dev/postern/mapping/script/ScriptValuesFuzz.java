package dev.postern.mapping.script;

import static org.assertj.core.api.Assertions.assertThat;

import com.code_intelligence.jazzer.junit.FuzzTest;
import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.DeserializationFeature;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.json.JsonMapper;
import dev.postern.it.InputCounter;
import java.io.IOException;
import java.math.BigDecimal;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.api.io.TempDir;

/** A fuzz target of the values that go into a script and come out of it. An input is JSON. */
@Tag("fuzz")
class ScriptValuesFuzz {

    @RegisterExtension
    static final InputCounter INPUTS = new InputCounter("values through scripts");

    private static final JsonMapper JSON = JsonMapper.builder()
            .enable(DeserializationFeature.USE_BIG_DECIMAL_FOR_FLOATS)
            .enable(DeserializationFeature.FAIL_ON_TRAILING_TOKENS)
            .build();

    /** The depth and the number of values that a script may return, beside the values around the payload. */
    private static final int DEEPEST = 98;

    private static final String MODULE = "same.js";
    private static final int MOST_VALUES = 9_999;
    private static final BigDecimal LARGEST_EXACT = BigDecimal.valueOf(1L << 53);

    @TempDir
    private static Path root;

    /** Opened with the first input: classes that Jazzer loads are watched. */
    private static @Nullable TransformFixture transforms;

    private static TransformFixture transforms() {
        TransformFixture opened = transforms;
        if (opened == null) {
            opened = new TransformFixture(root, TransformFixture.PATIENT);
            opened.write(MODULE, "export default ({payload}) => ({payload});");
            transforms = opened;
        }
        return opened;
    }

    @AfterAll
    static void close() {
        if (transforms != null) {
            transforms.close();
        }
    }

    @FuzzTest
    void returnsTheSameValue(byte[] bytes) throws IOException {
        INPUTS.increment();
        JsonNode payload;
        try {
            payload = JSON.readTree(new String(bytes, StandardCharsets.UTF_8)); // as bytes, it may be UTF-32
        } catch (JsonProcessingException | NumberFormatException noJson) {
            return;
        }
        if (payload.isMissingNode()) {
            return;
        }
        ScriptResult result = transforms()
                .scriptRegistry
                .run(root.resolve(MODULE), null, TransformFixture.input("{}").set("payload", payload));
        if (result instanceof ScriptResult.Failed failed) {
            assertThat(failed.sentence()).containsPattern("nested more than|returned more than");
            assertThat(depth(payload) > DEEPEST || values(payload).size() > MOST_VALUES)
                    .as(failed.sentence())
                    .isTrue();
        } else {
            assertSame(TransformFixture.fields(result).path("payload"), payload);
        }
    }

    private static void assertSame(JsonNode returned, JsonNode given) {
        if (given.isNumber() && isNumberThere(given.decimalValue())) {
            assertThat(returned.isNumber()).as("%s", given).isTrue();
            // JSON.stringify writes -0 as 0.
            assertThat(returned.doubleValue()).isEqualTo(given.doubleValue() + 0.0);
        } else if (given.isNumber()) {
            assertThat(returned.textValue()).isEqualTo(given.asText());
        } else if (given.isContainerNode()) {
            assertThat(returned.getNodeType()).isEqualTo(given.getNodeType());
            assertThat(returned.size()).isEqualTo(given.size());
            given.fieldNames().forEachRemaining(name -> assertSame(returned.path(name), given.path(name)));
            for (int i = 0; given.isArray() && i < given.size(); i++) {
                assertSame(returned.path(i), given.path(i));
            }
        } else {
            assertThat(returned).isEqualTo(given);
        }
    }

    /** Whether a script gets {@code number} as a number: a whole one if it has all its digits there. */
    private static boolean isNumberThere(BigDecimal number) {
        return number.stripTrailingZeros().scale() <= 0
                ? number.abs().compareTo(LARGEST_EXACT) <= 0
                : Double.isFinite(number.doubleValue());
    }

    private static int depth(JsonNode node) {
        int deepest = 0;
        for (JsonNode child : node) {
            deepest = Math.max(deepest, depth(child));
        }
        return node.isContainerNode() ? deepest + 1 : deepest;
    }

    private static List<JsonNode> values(JsonNode node) {
        List<JsonNode> values = new ArrayList<>(List.of(node));
        node.forEach(child -> values.addAll(values(child)));
        return values;
    }
}
