package dev.postern.mapping.template;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.json.JsonMapper;
import java.io.IOException;
import java.io.InputStream;
import java.util.List;
import java.util.Objects;
import java.util.stream.Stream;
import java.util.stream.StreamSupport;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/** Every known attack on FreeMarker, twice in one process, with an ordinary template answering after each. */
class AttacksTest {

    /** A payload of templates, so that what is evaluated twice shows. */
    private static final String PAYLOAD =
            """
            {"title": "<#assign x=7*191>${x} ${7*191} #{7*191} {{now}} (a+)+$",
             "name": "${7*191}", "body": {"class": "c"}, "size": 3, "list": [3, 1, 2]}""";

    private static final List<String> SIGNS = List.of(
            "1337", "uid=", "root:", "java.", "freemarker", "ClassLoader", "Execute", "class ", "sun.", "@", "__");

    static Stream<Arguments> attacks() throws IOException {
        try (InputStream in = AttacksTest.class.getResourceAsStream("/attacks/freemarker-attacks.json")) {
            JsonNode all = new JsonMapper().readTree(Objects.requireNonNull(in));
            return StreamSupport.stream(all.get("attacks").spliterator(), false)
                    .map(attack -> Arguments.of(
                            attack.get("name").asText(), attack.get("template").asText()));
        }
    }

    @ParameterizedTest(name = "{0}")
    @MethodSource("attacks")
    void isContained(String name, String attack) {
        for (int time = 0; time < 2; time++) {
            long start = System.nanoTime();
            String shown = outcome(attack);
            long millis = (System.nanoTime() - start) / 1_000_000;

            assertThat(shown).as(name).doesNotContain(SIGNS);
            assertThat(millis).as(name).isLessThan(2_000);
            assertThat(Rendering.render("${payload.size} ${\"I\"?lower_case} {{list}}", PAYLOAD))
                    .isEqualTo("3 i [3,1,2]");
        }
    }

    private static String outcome(String attack) {
        Compiled compiled = Templates.compile(attack);
        if (compiled instanceof Flawed) {
            return "";
        }
        Rendered rendered = ((Template) compiled).render(Rendering.input(PAYLOAD));
        return rendered instanceof Rendered.Text text ? text.value() : ((Rendered.Failed) rendered).sentence();
    }
}
