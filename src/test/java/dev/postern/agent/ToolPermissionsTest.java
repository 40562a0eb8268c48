package dev.postern.agent;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/** A test of the tools that a turn may use, whatever names the servers give to theirs. */
class ToolPermissionsTest {

    private static final List<String> SERVERS = List.of("b", "a");

    @Test
    void takesNoToolForThatOfAnotherServer() {
        ToolPermissions agents = allowing(Optional.of(List.of("a/echo")), Optional.empty());
        ToolPermissions turns = allowing(Optional.empty(), Optional.of(List.of("a/echo")));

        assertThat(agents.permits("a", "echo")).isTrue();
        assertThat(agents.permits("b", "echo")).isFalse();
        assertThat(agents.permits("b", "a/echo")).isFalse();
        assertThat(turns.permits("a", "echo")).isTrue();
        assertThat(turns.permits("b", "a/echo")).isFalse();
    }

    @Test
    void takesABareNameForTheToolOfEachServer() {
        ToolPermissions bare = allowing(Optional.of(List.of("echo")), Optional.empty());

        assertThat(bare.permits("a", "echo")).isTrue();
        assertThat(bare.permits("b", "echo")).isTrue();
        assertThat(bare.permits("c", "echo")).isFalse();
    }

    @Test
    void allowsAToolWhoseNameHasASlashByItsFullName() {
        assertThat(allowing(Optional.of(List.of("b/a/echo")), Optional.empty()).permits("b", "a/echo"))
                .isTrue();
    }

    @Test
    void asksForApprovalOfWhateverBearsTheName() {
        ToolPermissions approved =
                new ToolPermissions(SERVERS, Optional.empty(), Optional.empty(), List.of("a/echo"), 1);

        assertThat(approved.needsApproval("a", "echo")).isTrue();
        assertThat(approved.needsApproval("b", "a/echo")).isTrue();
        assertThat(approved.needsApproval("b", "echo")).isFalse();
    }

    private static ToolPermissions allowing(Optional<List<String>> agent, Optional<List<String>> turn) {
        return new ToolPermissions(SERVERS, agent, turn, List.of(), 1);
    }
}
