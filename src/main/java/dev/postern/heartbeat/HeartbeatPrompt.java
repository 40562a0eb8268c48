package dev.postern.heartbeat;

import dev.postern.acceptance.RequestItem;
import dev.postern.acceptance.WaitingEvent;
import dev.postern.agent.PromptText;
import dev.postern.model.EventId;
import dev.postern.model.Excerpt;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * The prompt of a heartbeat for its agent.
 *
 * @param events the ids of the events in the text, in order
 */
public record HeartbeatPrompt(PromptText text, List<EventId> events) {

    /** The most events in one heartbeat. */
    public static final int MAX_EVENTS = 50;

    /**
     * The most characters of an event in the prompt, so that an event that is longer than the model's context doesn't
     * block all later ones.
     */
    private static final int MAX_EVENT_CHARS = 20_000;

    private static final int MAX_CHARS = 60_000;
    private static final String EVENTS = "Since your last heartbeat this came in, oldest first:";
    private static final String TASK =
            "Do what has to be done about it. If there is nothing to tell anybody, answer" + " HEARTBEAT_OK.";

    /**
     * The first of the {@code waiting} events, for a heartbeat after {@code failures} failures in a row: half as many after each,
     * so that an event that the model rejects does not block the earlier ones.
     */
    public static List<WaitingEvent> firstAfter(int failures, List<WaitingEvent> waiting) {
        int most = Math.max(1, waiting.size() >> Math.min(failures, Integer.SIZE - 1));
        return waiting.subList(0, Math.min(most, waiting.size()));
    }

    public HeartbeatPrompt {
        events = List.copyOf(events);
    }

    /**
     * The prompt of a heartbeat; empty when there is nothing to ask, and so no model is called.
     *
     * @param standing the workspace's {@code HEARTBEAT.md}, blank when there is none
     * @param waiting the first waiting events, oldest first, at most {@link #MAX_EVENTS}; those that fit in 60,000
     *     characters are taken, each with its first 20,000 at most and a note about the cut
     */
    public static Optional<HeartbeatPrompt> of(String standing, List<WaitingEvent> waiting) {
        if (waiting.isEmpty() && standing.isBlank()) {
            return Optional.empty();
        }
        PromptText.Builder text = new PromptText.Builder();
        if (!standing.isBlank()) {
            text.addOperatorText(standing.strip()).addOperatorText("");
        }
        List<EventId> taken = new ArrayList<>();
        if (!waiting.isEmpty()) {
            text.addOperatorText(EVENTS);
            int chars = 0;
            for (WaitingEvent event : waiting) {
                String told = Excerpt.of(event.text(), MAX_EVENT_CHARS);
                chars += event.items().isEmpty() ? told.length() : length(event.items());
                if (chars > MAX_CHARS) {
                    break;
                }
                text.addOperatorText("").addOperatorText("[" + event.createdAt() + "]");
                taken.add(event.id());
                if (!event.items().isEmpty()) {
                    ItemPrompt.add(text, event.provenance(), event.requests(), cut(event.items()));
                    int last =
                            event.items().get(event.items().size() - 1).text().length();
                    if (last > MAX_EVENT_CHARS) {
                        text.addOperatorText("[cut here: the text has " + last + " characters]");
                    }
                    continue;
                }
                text.addExternalText(event.provenance(), told);
                if (told.length() < event.text().length()) {
                    text.addOperatorText(
                            "[cut here: the event has " + event.text().length() + " characters]");
                }
            }
            text.addOperatorText("");
        }
        return Optional.of(new HeartbeatPrompt(text.addOperatorText(TASK).build(), taken));
    }

    private static int length(List<RequestItem> items) {
        return cut(items).stream().mapToInt(item -> item.text().length()).sum();
    }

    /** Several texts have no more characters together than an event may have; the last one, if it is alone, may have more. */
    private static List<RequestItem> cut(List<RequestItem> items) {
        return items.stream()
                .map(item -> new RequestItem(
                        item.number(), Excerpt.of(item.text(), MAX_EVENT_CHARS), item.requestId(), item.receivedAt()))
                .toList();
    }
}
