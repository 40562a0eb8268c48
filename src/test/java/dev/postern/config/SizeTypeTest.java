package dev.postern.config;

import static org.assertj.core.api.Assertions.assertThat;

import dev.postern.config.ConfigurationNode.Form;
import dev.postern.config.ConfigurationNode.Items;
import dev.postern.config.ConfigurationNode.Scalar;
import dev.postern.config.ValueType.Invalid;
import dev.postern.config.ValueType.Parsed;
import dev.postern.config.ValueType.Valid;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Tests of the type of a size. */
class SizeTypeTest {

    private static final String EXPECTED =
            "write a size from 1MiB to 1024GiB, in bytes or with its unit, such as 512MiB or 2GiB";

    private final SizeType sizeType = new SizeType(SizeType.MIB, 1024 * SizeType.GIB);

    @ParameterizedTest
    @ValueSource(
            strings = {
                "lots",
                "",
                "0",
                "MiB",
                "-1",
                "+1048576",
                "1.5GiB",
                "1e9",
                "0x100000",
                "01048576",
                "512MB",
                "512M",
                "512mib",
                "512  MiB",
                "1TiB",
                "1GiB512MiB",
                "1_048_576",
                "true"
            })
    void whatIsNoSizeIsRefused(String text) {
        assertThat(parse(text, Form.TEXT)).isEqualTo(new Invalid<>("is [" + text + "]", EXPECTED));
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "1048575",
                "1023KiB",
                "1099511627777",
                "1025GiB",
                "1048577MiB",
                "999999999999999999GiB",
                "9999999999999999999"
            })
    void aSizeOutOfRangeIsRefused(String text) {
        assertThat(parse(text, Form.TEXT)).isEqualTo(new Invalid<>("is [" + text + "]", EXPECTED));
    }

    @Test
    void aListIsNoSize() {
        assertThat(parse(new Items(List.of(), ValueOrigin.DEFAULT))).isEqualTo(new Invalid<>("is a list", EXPECTED));
    }

    @ParameterizedTest
    @CsvSource({
        "1048576, 1048576",
        "1024KiB, 1048576",
        "1MiB, 1048576",
        "512MiB, 536870912",
        "512 MiB, 536870912",
        "2GiB, 2147483648",
        "1024GiB, 1099511627776",
        "1099511627776, 1099511627776"
    })
    void aSizeIsANumberOfBytesOrHasAUnit(String text, long bytes) {
        assertThat(parse(text, Form.TEXT)).isEqualTo(new Valid<>(bytes));
        assertThat(parse(text, Form.LOOSE)).isEqualTo(new Valid<>(bytes));
    }

    @ParameterizedTest
    @ValueSource(strings = {"536870912", "536_870_912"})
    void aSizeMayBeAPlainNumber(String text) {
        assertThat(parse(text, Form.NUMBER)).isEqualTo(new Valid<>(536_870_912L));
    }

    private Parsed<Long> parse(String text, Form form) {
        return parse(new Scalar(text, form, ValueOrigin.DEFAULT));
    }

    private Parsed<Long> parse(ConfigurationNode node) {
        return sizeType.parse(node, new SecretReferences(Path.of("home"), Map.of(), Map.of()));
    }
}
