package dev.postern.agent.tool;

import static org.assertj.core.api.Assertions.assertThat;

import dev.postern.agent.ToolPermissions;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Tests of the tools that a turn may use and the text that a model reads, with one program as two servers. */
class TurnToolboxTest {

    private static final Duration LONG = Duration.ofSeconds(20);

    @TempDir
    static Path work;

    private static ToolServerRegistry tools;

    @BeforeAll
    static void start() {
        tools = new ToolServerRegistry(
                Map.of(
                        "a", ToolTurnFixture.programServer("a", ToolServerProgram.command("paged"), Map.of(), LONG),
                        "b", ToolTurnFixture.programServer("b", ToolServerProgram.command(), Map.of(), LONG),
                        "many",
                                ToolTurnFixture.programServer(
                                        "many", ToolServerProgram.command("many", "odd"), Map.of(), LONG),
                        "heavy",
                                ToolTurnFixture.programServer(
                                        "heavy", ToolServerProgram.command("heavy"), Map.of(), LONG),
                        "nulls",
                                ToolTurnFixture.programServer(
                                        "nulls", ToolServerProgram.command("null-method"), Map.of(), LONG),
                        "never", ToolTurnFixture.programServer("never", List.of("/no/such/program"), Map.of(), LONG)),
                work,
                "test");
    }

    @AfterAll
    static void end() {
        tools.close();
    }

    private static ToolTurnFixture turn(List<String> servers, List<String> agent, List<String> narrowed) {
        return new ToolTurnFixture(tools, ToolTurnFixture.access(servers, agent, narrowed));
    }

    @Test
    void refusesAToolThatIsNotPermitted() {
        try (ToolTurnFixture turn = turn(List.of("a"), List.of("echo"), null)) {
            assertThat(turn.names()).containsExactly("echo");
            assertThat(turn.call("fail")).isEqualTo("Not called: there is no tool of this name in this turn.");
            assertThat(turn.call("<made up>")).startsWith("Not called");
            assertThat(turn.calls()).containsExactly("/ refused 2 55", "/ refused 2 55");
        }
    }

    @Test
    void asksNoServerWhereTheTurnIsNarrowedToNothing() {
        try (ToolTurnFixture turn = turn(List.of("never"), null, List.of())) {
            assertThat(turn.names()).isEmpty();
            assertThat(turn.notes()).isEmpty();
            assertThat(turn.call("echo")).startsWith("Not called");
        }
    }

    @Test
    void narrowsTheAgentsToolsByTheTurns() {
        try (ToolTurnFixture turn =
                turn(List.of("a", "b"), List.of("echo", "a/fail"), List.of("b/echo", "fail", "huge"))) {
            assertThat(turn.names()).containsExactlyInAnyOrder("echo", "fail");
            assertThat(turn.call("echo", "{\"text\":\"x\"}")).isEqualTo("x");
            assertThat(turn.calls()).containsExactly("b/echo ok 12 1");
            assertThat(turn.notes()).isEmpty();
        }
    }

    @Test
    void takesAResponseWhoseMethodIsNull() {
        try (ToolTurnFixture turn = turn(List.of("nulls"), List.of("echo"), null)) {
            assertThat(turn.call("echo", "{\"text\":\"x\"}")).isEqualTo("x");
        }
    }

    @Test
    void saysWhichNamesNoServerHas() {
        try (ToolTurnFixture turn = turn(List.of("a"), List.of("echo", "b/echo", "no-such"), List.of("echo"))) {
            assertThat(turn.notes())
                    .containsExactly(
                            "No tool server of the agent has a tool [b/echo].",
                            "No tool server of the agent has a tool [no-such].");
        }
    }

    @Test
    void warnsOnceOfAnApprovalThatIsForNoTool() {
        ToolPermissions misspelt =
                new ToolPermissions(List.of("a"), Optional.empty(), Optional.empty(), List.of("ehco", "a/echo"), 2);
        try (FormattedLogCapture log = new FormattedLogCapture()) {
            new ToolTurnFixture(tools, misspelt).close();
            new ToolTurnFixture(tools, misspelt).close();
            assertThat(log.warnings())
                    .containsOnlyOnce("approve names [ehco], but no tool server of the agent has")
                    .doesNotContain("a/echo");
        }
    }

    @Test
    void refusesCallsBeyondTheMost() {
        ToolPermissions two = new ToolPermissions(List.of("a"), Optional.empty(), Optional.empty(), List.of(), 2);
        try (ToolTurnFixture turn = new ToolTurnFixture(tools, two)) {
            turn.call("echo");
            turn.call("no-such");
            assertThat(turn.call("echo"))
                    .isEqualTo("Not called: this turn may make 2 tool calls and has made them. Answer without.");
            assertThat(turn.calls()).last().isEqualTo("a/echo refused 2 78");
        }
    }

    @Test
    void notesThatCallsAreUsedUpAndHowManyWereRefused() {
        ToolPermissions two = new ToolPermissions(List.of("a"), Optional.empty(), Optional.empty(), List.of(), 2);
        ToolTurnFixture turn = new ToolTurnFixture(tools, two);
        turn.call("echo");
        assertThat(turn.callsLeft()).isEqualTo(1);
        turn.call("echo");
        assertThat(turn.callsLeft()).isZero();
        turn.call("echo");
        turn.call("echo");
        turn.call("no-such");
        assertThat(turn.callsLeft()).isZero();
        turn.close();
        assertThat(turn.notes())
                .containsExactly("The turn has used up its tool calls (maxCalls 2); further calls refused: 3.");
        assertThat(turn.calls()).filteredOn(call -> call.contains("refused")).hasSize(3);
    }

    @Test
    void notesThatCallsAreUsedUpWhereNoneWasRefused() {
        ToolPermissions one = new ToolPermissions(List.of("a"), Optional.empty(), Optional.empty(), List.of(), 1);
        ToolTurnFixture turn = new ToolTurnFixture(tools, one);
        turn.call("echo");
        turn.close();
        assertThat(turn.notes()).containsExactly("The turn has used up its tool calls (maxCalls 1).");
    }

    @Test
    void hasNoCallsLeftWithoutTools() {
        ToolTurnFixture turn = turn(List.of("never"), null, List.of());
        assertThat(turn.callsLeft()).isZero();
        assertThat(turn.call("echo")).isEqualTo("Not called: there is no tool of this name in this turn.");
        turn.close();
        assertThat(turn.notes()).containsExactly("The turn has no tools: tool calls refused: 1.");
    }

    @Test
    void tellsTheModelThatArgumentsAreNoObject() {
        try (ToolTurnFixture turn = turn(List.of("a"), null, null)) {
            for (String arguments :
                    List.of("[]", "7", "{", "null", "{} {}", "{\"text\":\"" + "x".repeat(1 << 20) + "\"}")) {
                assertThat(turn.call("echo", arguments))
                        .isEqualTo("Not called: the arguments have to be one JSON object of at most 1 MiB.");
            }
            assertThat(turn.call("echo", " ")).isEqualTo("The tool gave an empty result.");
            assertThat(turn.calls()).first().isEqualTo("a/echo error 2 70");
        }
    }

    @Test
    void cutsALongResultBetweenTwoCharacters() {
        try (ToolTurnFixture turn = turn(List.of("a"), null, null)) {
            int chars = ToolResultText.MAX_BYTES / 2;
            assertThat(turn.call("huge"))
                    .isEqualTo("é".repeat(chars) + "\n[cut here: the result had at least " + 2 * SampleTools.HUGE_CHARS
                            + " bytes]");
        }
    }

    @Test
    void stopsReadingPartsOfAResultThatIsCut() {
        try (ToolTurnFixture turn = turn(List.of("a"), null, null)) {
            String part = "[content of an unknown kind]\n";
            int read = ToolResultText.MAX_BYTES / part.length() + 1;
            assertThat(turn.call("huge", "{\"text\":\"90000\"}"))
                    .startsWith(part.repeat(read - 1))
                    .endsWith("\n[cut here: the result had at least " + (read * part.length() - 1) + " bytes]");
        }
    }

    @Test
    void takesOutOfAResultWhatCouldPassForAMarker() {
        try (ToolTurnFixture turn = turn(List.of("a"), null, null)) {
            assertThat(turn.call("token", "{\"text\":\"<|im_start|>\"}"))
                    .doesNotContain("END_EXTERNAL_UNTRUSTED_CONTENT", "<|im_start|>");
        }
    }

    @Test
    void describesWhatIsNoText() {
        try (ToolTurnFixture turn = turn(List.of("a"), null, null)) {
            assertThat(turn.call("picture")).isEqualTo("here:\n[image image/png, 3 bytes]\n[resource file:///a]");
            assertThat(turn.call("structured")).isEqualTo("{\"answer\":42}");
            assertThat(turn.call("half")).isEqualTo("half: ?");
        }
    }

    @Test
    void namesToolsAsEveryProviderTakesThem() {
        try (ToolTurnFixture turn = turn(List.of("a", "b"), null, null);
                ToolTurnFixture again = turn(List.of("a", "b"), null, null)) {
            assertThat(turn.names())
                    .doesNotHaveDuplicates()
                    .allSatisfy(name -> assertThat(name).matches("[a-zA-Z0-9_-]{1,64}"))
                    .contains("first-page", "a__echo", "b__echo", "a__say_dotted_name")
                    .doesNotContain("echo")
                    .containsExactlyElementsOf(again.names());
            assertThat(turn.call("b__echo", "{\"text\":\"x\"}")).isEqualTo("x");
            assertThat(turn.calls()).containsExactly("b/echo ok 12 1");
        }
    }

    @Test
    void leavesOutToolsBeyondTheMostAndThoseThatCannotBeRead() {
        try (ToolTurnFixture turn = turn(List.of("many"), null, null)) {
            assertThat(turn.names())
                    .hasSize(ToolServerRegistry.MAX_TOOLS)
                    .doesNotContain("too-long", "unknown-type", "no-schema");
            assertThat(turn.notes())
                    .containsExactly(
                            "The tool server many has 3 tools whose description is too long or cannot be read; they were"
                                    + " left out.",
                            "The turn may use 217 tools; those after the first 128 were left out.");
        }
    }

    @Test
    void leavesOutToolsWhoseDescriptionsAreTooLongTogether() {
        try (ToolTurnFixture turn = turn(List.of("heavy"), null, null)) {
            assertThat(turn.names()).hasSizeBetween(SampleTools.HEAVY_TOOLS, 2 * SampleTools.HEAVY_TOOLS - 1);
            assertThat(turn.notes())
                    .containsExactly(
                            "The tool server heavy lists more than 1000 tools, 100 pages or 4 MiB; the last tools were"
                                    + " left out.");
        }
    }

    @Test
    void tellsTheModelWhatAToolDoesAndTakes() {
        try (ToolTurnFixture turn = turn(List.of("a"), List.of("echo"), null)) {
            assertThat(turn.tools()).singleElement().satisfies(tool -> {
                assertThat(tool.description()).isEqualTo("Does echo.");
                assertThat(tool.parameters().properties()).containsOnlyKeys("text");
            });
        }
    }

    @Test
    void callsNothingOnceTurnIsCancelled() {
        try (ToolTurnFixture turn = turn(List.of("a"), null, null);
                ToolTurnFixture other = turn(List.of("a"), null, null)) {
            int before = number(other.call("called"));
            turn.turnCancellation.interrupt("a shutdown");
            assertThat(turn.call("echo", "{\"text\":\"x\"}")).isEqualTo("The turn has ended before the tool did.");
            assertThat(turn.calls()).first().asString().startsWith("a/echo timed_out ");
            assertThat(number(other.call("called"))).isEqualTo(before + 1);
            assertThat(other.call("cancelled")).isEqualTo("0 cancelled");
        }
    }

    private static int number(String counted) {
        return Integer.parseInt(counted.split(" ", -1)[0]);
    }
}
