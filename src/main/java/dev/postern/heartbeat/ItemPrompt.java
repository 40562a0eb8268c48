package dev.postern.heartbeat;

import dev.postern.acceptance.RequestItem;
import dev.postern.agent.PromptText;
import dev.postern.model.Provenance;
import java.util.List;

/**
 * The part of a prompt with the texts of several requests that became one run or event. Each is inside a boundary of its own,
 * and its number and time stand before it, as words of Postern.
 */
public final class ItemPrompt {

    private ItemPrompt() {}

    /**
     * Adds {@code items} to {@code text}.
     *
     * @param all the number of requests
     * @param items those that are kept, in order: all, or the last alone
     */
    public static PromptText.Builder add(
            PromptText.Builder text, Provenance provenance, int all, List<RequestItem> items) {
        text.addOperatorText(
                items.size() == all
                        ? all + " requests came in together, oldest first:"
                        : all + " requests came in together. This is the last one; it replaces the " + (all - 1)
                                + " before it:");
        for (RequestItem item : items) {
            text.addOperatorText("")
                    .addOperatorText("[" + item.number() + " of " + all + ", " + item.receivedAt() + "]");
            text.addExternalText(provenance, item.text());
        }
        return text;
    }
}
