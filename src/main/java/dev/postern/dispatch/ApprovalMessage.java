package dev.postern.dispatch;

import dev.postern.agent.ApprovalQuestion;
import dev.postern.model.Excerpt;
import dev.postern.model.Recipient;
import dev.postern.model.RunId;
import dev.postern.model.VisibleText;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.List;

/** The message that asks operators to approve tool calls. */
final class ApprovalMessage {

    /** The most characters of a call's arguments. */
    private static final int MAX_ARGUMENTS = 1_500;

    private ApprovalMessage() {}

    /**
     * The text that {@code recipient} gets. The inbox gets it without the arguments, which may repeat a sender's payload: viewers
     * read the inbox, and it keeps its texts after the end of the run.
     *
     * @param expires the end of the time in which an operator can decide
     */
    static String text(
            String hook,
            RunId run,
            String agentId,
            Recipient recipient,
            List<ApprovalQuestion> questions,
            Instant expires) {
        boolean hasArguments = !recipient.channel().equals(Recipient.INBOX);
        StringBuilder text = new StringBuilder()
                .append("Agent ")
                .append(agentId)
                .append(" asks for approval of ")
                .append(questions.size() == 1 ? "a tool call" : questions.size() + " tool calls")
                .append(". Run ")
                .append(run.value())
                .append(", hook ")
                .append(hook)
                .append(
                        hasArguments
                                ? ".\nThe arguments are the model's words, which a sender may have dictated.\n"
                                : ".\nThe page Approvals shows operators the arguments.\n");
        for (ApprovalQuestion question : questions) {
            text.append("\n").append(question.server()).append("/").append(question.tool());
            if (hasArguments) {
                text.append("\n```\n").append(shown(question.arguments())).append("\n```");
            }
            text.append("\n");
        }
        return text.append("\nDecide on the console's page Approvals until ")
                .append(expires.truncatedTo(ChronoUnit.MINUTES))
                .append(". After that the call is refused.")
                .toString();
    }

    /** {@code arguments} on one line, cut, and without a mark that would end the block around them. */
    private static String shown(String arguments) {
        String visible = VisibleText.text(arguments).replaceAll("\\s+", " ").replace("`", "'");
        return visible.length() <= MAX_ARGUMENTS
                ? visible
                : Excerpt.of(visible, MAX_ARGUMENTS) + " [cut here; the console shows all of it]";
    }
}
