package dev.postern.ingress;

import static org.assertj.core.api.Assertions.assertThat;

import dev.postern.mapping.MappingResult;
import dev.postern.model.AllowedAction;
import dev.postern.model.CoalescingRule;
import dev.postern.model.HookAction;
import dev.postern.model.OperatorInstructions;
import dev.postern.model.Provenance;
import dev.postern.model.Recipient;
import dev.postern.model.SessionKey;
import dev.postern.model.TurnPriority;
import dev.postern.model.WakeMode;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** A test of what the requests of one group share. */
class GroupIdTest {

    private static final CoalescingRule RULE =
            new CoalescingRule(Duration.ofSeconds(30), Duration.ofMinutes(5), false, 100);

    @Test
    void anotherKeyMappingSenderOrModeIsAnotherGroup() {
        String id = id("key", "mapping", null, WakeMode.NOW, "one");

        assertThat(id("other", "mapping", null, WakeMode.NOW, "one")).isNotEqualTo(id);
        assertThat(id("key", "other", null, WakeMode.NOW, "one")).isNotEqualTo(id);
        assertThat(id("key", "mapping", "ci", WakeMode.NOW, "one")).isNotEqualTo(id);
        assertThat(id("key", "mapping", "", WakeMode.NOW, "one")).isNotEqualTo(id);
        assertThat(id("key", "mapping", null, WakeMode.NEXT_HEARTBEAT, "one")).isNotEqualTo(id);
    }

    @Test
    void eventsOfTwoAgentsAreTwoGroups() {
        assertThat(id("ops", "key", "mapping", null, WakeMode.NOW, "one"))
                .isNotEqualTo(id("main", "key", "mapping", null, WakeMode.NOW, "one"));
    }

    @Test
    void deliveriesToTwoRecipientsAreTwoGroups() {
        assertThat(delivery("ops", "a"))
                .isEqualTo(delivery("ops", "a"))
                .isNotEqualTo(delivery("ops", "b"))
                .isNotEqualTo(delivery("ops", null))
                .isNotEqualTo(delivery("inbox", "a"));
    }

    @Test
    void turnsWhoseCallsNeedOtherApprovalsAreTwoGroups() {
        assertThat(turn(List.of("release")))
                .isEqualTo(turn(List.of("release")))
                .isNotEqualTo(turn(List.of()))
                .isNotEqualTo(turn(List.of("release", "delete")));
    }

    private static String turn(List<String> approve) {
        Provenance provenance = Provenance.untrusted("storm");
        OperatorInstructions instructions =
                new OperatorInstructions(null, Optional.empty(), approve, Optional.empty(), TurnPriority.NORMAL, null);
        Recipient last = new Recipient(Recipient.LAST, null);
        return GroupId.of(
                new MappingResult.Group("key", RULE),
                "mapping",
                null,
                new HookAction.AgentTurn(
                        /* message= */ "one",
                        /* name= */ "Hook",
                        /* agentId= */ null,
                        /* sessionKey= */ null,
                        /* sessionKeySource= */ HookAction.KeySource.MAPPING,
                        /* wakeMode= */ WakeMode.NOW,
                        /* deliver= */ true,
                        /* channel= */ Recipient.LAST,
                        /* to= */ null,
                        /* model= */ null,
                        /* thinking= */ null,
                        /* timeout= */ null,
                        provenance,
                        /* operatorInstructions= */ instructions),
                new AllowedAction.Turn(
                        /* agentId= */ "main",
                        /* sessionKey= */ new SessionKey("hook:1"),
                        /* message= */ "one",
                        /* name= */ "Hook",
                        /* wakeMode= */ WakeMode.NOW,
                        /* deliver= */ true,
                        /* recipient= */ last,
                        /* model= */ "offline/echo",
                        /* thinking= */ null,
                        /* timeout= */ Duration.ofMinutes(1),
                        provenance,
                        /* operatorInstructions= */ instructions));
    }

    private static String delivery(String channel, @Nullable String to) {
        Provenance provenance = Provenance.untrusted("storm");
        return GroupId.of(
                new MappingResult.Group("key", RULE),
                "mapping",
                null,
                new HookAction.DirectDelivery("one", channel, to, provenance),
                new AllowedAction.DirectDelivery("one", new Recipient(channel, to), provenance));
    }

    @Test
    void boundariesOfValuesCount() {
        assertThat(id("b", "a", "c", WakeMode.NOW, "one")).isNotEqualTo(id("bc", "a", "", WakeMode.NOW, "one"));
        assertThat(id("bc", "a", "", WakeMode.NOW, "one")).isNotEqualTo(id("c", "ab", "", WakeMode.NOW, "one"));
    }

    @Test
    void anotherTextIsTheSameGroup() {
        assertThat(id("key", "mapping", null, WakeMode.NOW, "two"))
                .isEqualTo(id("key", "mapping", null, WakeMode.NOW, "one"))
                .hasSize(64);
    }

    private static String id(String key, String mapping, @Nullable String sender, WakeMode mode, String text) {
        return id("main", key, mapping, sender, mode, text);
    }

    private static String id(
            String agent, String key, String mapping, @Nullable String sender, WakeMode mode, String text) {
        Provenance provenance = Provenance.untrusted("storm");
        return GroupId.of(
                new MappingResult.Group(key, RULE),
                mapping,
                sender,
                new HookAction.Wake(text, mode, agent, provenance),
                new AllowedAction.Wake(agent, text, mode, provenance));
    }
}
