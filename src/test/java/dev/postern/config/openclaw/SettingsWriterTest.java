package dev.postern.config.openclaw;

import static org.assertj.core.api.Assertions.assertThat;

import dev.postern.config.ConfigurationNode.Fields;
import dev.postern.config.ConfigurationNode.Form;
import dev.postern.config.ConfigurationNode.Scalar;
import dev.postern.config.ValueOrigin;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.yaml.snakeyaml.Yaml;

/** A test that YAML reads what was written. */
class SettingsWriterTest {

    private static final ValueOrigin ORIGIN = new ValueOrigin("a.json:1:1");

    @ParameterizedTest
    @ValueSource(
            strings = {
                "plain",
                "true",
                "NO",
                "null",
                "~",
                "12",
                "1e3",
                "0x1F",
                "2026-11-26",
                "",
                " spaced ",
                "a: b",
                "a #b",
                "- a",
                "{a}",
                "[a]",
                "\"quoted\" 'too' \\ back",
                "@at `tick` %x &y *z !t |p >q ?r",
                "tab\there",
                "two\nlines",
                "two\n\n  indented\nlines: # no comment\n- x",
                " begins\nwith a space",
                "\nbegins with a line end",
                "trailing space \nhere",
                "é ü 漢字 🦞\nmore 🦞",
                "odd\u0000\u0007\u0085\u2028\ufeff",
                "carriage\r\nreturn"
            })
    void writesATextThatYamlReadsAsItWas(String text) {
        Fields list = new SettingsBuilder(ORIGIN)
                .put("t", SettingsBuilder.text(text, ORIGIN))
                .build();
        Fields settings = new SettingsBuilder(ORIGIN)
                .put("top", SettingsBuilder.text(text, ORIGIN))
                .put("inner", list)
                .putItems("list", List.of(list, SettingsBuilder.text(text, ORIGIN)))
                .build();

        Map<String, Object> read = new Yaml().load(SettingsWriter.text(settings, List.of("# head")));

        assertThat(read)
                .isEqualTo(Map.of("top", text, "inner", Map.of("t", text), "list", List.of(Map.of("t", text), text)));
    }

    @Test
    void writesNumbersAndFlagsAsTheyWere() {
        Fields settings = new SettingsBuilder(ORIGIN)
                .put("price", new Scalar("1.50", Form.NUMBER, ORIGIN))
                .put("odd key:", SettingsBuilder.flag(true, ORIGIN))
                .build();

        assertThat(SettingsWriter.text(settings, List.of())).isEqualTo("\nprice: 1.50\n\n\"odd key:\": true\n");
    }
}
