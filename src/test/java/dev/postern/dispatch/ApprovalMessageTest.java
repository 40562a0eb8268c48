package dev.postern.dispatch;

import static org.assertj.core.api.Assertions.assertThat;

import dev.postern.agent.ApprovalQuestion;
import dev.postern.model.Recipient;
import dev.postern.model.RunId;
import java.time.Instant;
import java.util.List;
import org.junit.jupiter.api.Test;

class ApprovalMessageTest {

    private static final Instant EXPIRES = Instant.parse("2026-11-28T16:30:59Z");

    @Test
    void hasTheArgumentsOnOneLineAndNoEndOfTheirBlock() {
        String text = text(new Recipient("slack", "C1"), "{\"what\":\n \"```x\"}");

        assertThat(text)
                .isEqualTo(
                        """
                        Agent main asks for approval of a tool call. Run run_1, hook deploys.
                        The arguments are the model's words, which a sender may have dictated.

                        lab/deploy
                        ```
                        {"what": "'''x"}
                        ```

                        Decide on the console's page Approvals until 2026-11-28T16:30:00Z. After that the call is refused.""");
    }

    @Test
    void cutsLongArguments() {
        assertThat(text(new Recipient("slack", "C1"), "x".repeat(1_501)))
                .contains("x… [cut here; the console shows all of it]\n")
                .doesNotContain("x".repeat(1_500));
    }

    @Test
    void leavesTheArgumentsOutOfTheInbox() {
        assertThat(text(new Recipient(Recipient.INBOX, null), "{\"what\": \"secret\"}"))
                .isEqualTo(
                        """
                        Agent main asks for approval of a tool call. Run run_1, hook deploys.
                        The page Approvals shows operators the arguments.

                        lab/deploy

                        Decide on the console's page Approvals until 2026-11-28T16:30:00Z. After that the call is refused.""");
    }

    private static String text(Recipient recipient, String arguments) {
        return ApprovalMessage.text(
                "deploys",
                new RunId("run_1"),
                "main",
                recipient,
                List.of(new ApprovalQuestion(0, "lab", "deploy", arguments)),
                EXPIRES);
    }
}
