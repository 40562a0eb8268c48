package dev.postern.agent;

import com.fasterxml.jackson.annotation.JsonSubTypes;
import com.fasterxml.jackson.annotation.JsonTypeInfo;
import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.core.type.TypeReference;
import com.fasterxml.jackson.databind.ObjectMapper;
import dev.postern.model.TurnRecord.ToolCall;
import java.io.UncheckedIOException;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import java.util.Optional;

/*
 * A paused turn is not stored as a conversation, which has another form for each kind of provider. Its journal holds what
 * came from outside. A turn that goes on runs through the same code again and is given the journal's entries in place of
 * new ones, until they are used up.
 */
/**
 * A journal of one turn: the responses of its model and the results of its tools, in order. The journal of a paused turn is
 * played back when the turn goes on: nothing in it is asked or called again. Used by the turn's thread alone.
 */
public final class TurnJournal {

    private static final ObjectMapper JSON = new ObjectMapper();
    private static final TypeReference<List<Entry>> ENTRIES = new TypeReference<>() {};

    private final ToolApprovals approvals;
    private final List<Entry> entries = new ArrayList<>();
    private final Iterator<Entry> played;

    private TurnJournal(ToolApprovals approvals, List<Entry> earlier) {
        this.approvals = approvals;
        this.played = earlier.iterator();
    }

    /** An entry of a journal. */
    @JsonTypeInfo(use = JsonTypeInfo.Id.NAME, property = "kind")
    @JsonSubTypes({
        @JsonSubTypes.Type(value = ModelResponse.class, name = "response"),
        @JsonSubTypes.Type(value = ToolResult.class, name = "result")
    })
    public sealed interface Entry {}

    /** A response of the model's provider, as it was received. */
    public record ModelResponse(String body) implements Entry {}

    /**
     * A result of a tool call.
     *
     * @param call the record of the call
     * @param text the text for the model
     */
    public record ToolResult(ToolCall call, String text) implements Entry {}

    /** An empty journal of a turn that begins. */
    public static TurnJournal of(ToolApprovals approvals) {
        return new TurnJournal(approvals, List.of());
    }

    /**
     * The journal of a turn that goes on.
     *
     * @param encoded as {@link #encode} wrote it
     */
    public static TurnJournal of(ToolApprovals approvals, String encoded) {
        try {
            return new TurnJournal(approvals, JSON.readValue(encoded, ENTRIES));
        } catch (JsonProcessingException e) {
            throw new UncheckedIOException("a journal that no turn has written", e);
        }
    }

    /** The entries so far, as JSON. */
    public String encode() {
        try {
            return JSON.writerFor(ENTRIES).writeValueAsString(entries);
        } catch (JsonProcessingException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** {@code result} as JSON. */
    public static String encode(ToolResult result) {
        try {
            return JSON.writeValueAsString(result);
        } catch (JsonProcessingException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** The result that {@link #encode(ToolResult)} wrote. */
    public static ToolResult decodeResult(String encoded) {
        try {
            return JSON.readValue(encoded, ToolResult.class);
        } catch (JsonProcessingException e) {
            throw new UncheckedIOException("a result that no turn has written", e);
        }
    }

    /** The operators' decisions about the turn's calls. */
    public ToolApprovals approvals() {
        return approvals;
    }

    /** The next response of the model from before the pause; empty if the model has to be asked. */
    public Optional<String> playResponse() {
        return play(ModelResponse.class).map(ModelResponse::body);
    }

    /** The next result of a tool from before the pause; empty if the tool has to be called. */
    public Optional<ToolResult> playResult() {
        return play(ToolResult.class);
    }

    /** Whether entries from before the pause are left. */
    public boolean isPlaying() {
        return played.hasNext();
    }

    /** Forgets all entries, because another model begins the turn again. */
    void clear() {
        entries.clear();
    }

    private <E extends Entry> Optional<E> play(Class<E> kind) {
        if (!played.hasNext()) {
            return Optional.empty();
        }
        Entry next = played.next();
        entries.add(next);
        return Optional.of(kind.cast(next));
    }

    /** Adds a response or a result that is new. */
    public void add(Entry entry) {
        if (approvals.canWait()) {
            entries.add(entry);
        }
    }
}
