package dev.postern.agent.tool;

import static org.assertj.core.api.Assertions.assertThat;

import dev.postern.agent.tool.ToolNames.Own;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

class ToolNamesTest {

    private static List<String> names(Own... tools) {
        return List.copyOf(ToolNames.of(List.of(tools)).values());
    }

    @Test
    void tellsApartWhatLooksTheSameOnceItFits() {
        assertThat(names(new Own("s", "a.b"), new Own("s", "a b"), new Own("s", "s__a_b")))
                .doesNotHaveDuplicates()
                .contains("s__a_b")
                .filteredOn(name -> name.matches("s__a_b_[0-9a-f]{8}"))
                .hasSize(2);
    }

    @Test
    void tellsLongNamesApartThatBeginAlike() {
        String begin = "n".repeat(100);

        assertThat(names(new Own("s", begin + "1"), new Own("s", begin + "2"), new Own("t", begin + "1")))
                .doesNotHaveDuplicates()
                .allSatisfy(name -> assertThat(name).hasSize(64).matches("[st]__n+_[0-9a-f]{8}"));
    }

    @Test
    void beginsEachWithALetterOrAnUnderscore() {
        assertThat(names(new Own("7", "1st"), new Own("s", "-x"), new Own("s", "über")))
                .containsExactly("_7__1st", "s__-x", "s___ber");
    }

    @Test
    void putsTheServerBeforeANameThatTwoHave() {
        assertThat(names(new Own("a", "echo"), new Own("b", "echo"), new Own("b", "fail")))
                .containsExactlyInAnyOrder("a__echo", "b__echo", "fail");
    }

    @Test
    void givesTheSameNamesAgain() {
        Own[] tools = Stream.of("a.b", "a b", "x".repeat(80))
                .map(name -> new Own("s", name))
                .toArray(Own[]::new);

        assertThat(names(tools)).isEqualTo(names(tools));
    }
}
