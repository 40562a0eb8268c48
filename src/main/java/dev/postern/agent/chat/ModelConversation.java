package dev.postern.agent.chat;

import dev.langchain4j.agent.tool.ToolExecutionRequest;
import dev.langchain4j.agent.tool.ToolSpecification;
import dev.langchain4j.data.message.AiMessage;
import dev.langchain4j.data.message.ChatMessage;
import dev.langchain4j.data.message.SystemMessage;
import dev.langchain4j.data.message.ToolExecutionResultMessage;
import dev.langchain4j.data.message.UserMessage;
import dev.langchain4j.exception.ContentFilteredException;
import dev.langchain4j.model.chat.request.ChatRequest;
import dev.langchain4j.model.chat.request.ToolChoice;
import dev.langchain4j.model.chat.response.ChatResponse;
import dev.langchain4j.model.output.FinishReason;
import dev.langchain4j.model.output.TokenUsage;
import dev.postern.agent.ApprovalQuestion;
import dev.postern.agent.BackendPrompt;
import dev.postern.agent.Boundary;
import dev.postern.agent.ReplyText;
import dev.postern.agent.TranscriptRepository;
import dev.postern.agent.TurnCancellation;
import dev.postern.agent.TurnRecorder;
import dev.postern.agent.TurnResult;
import dev.postern.agent.tool.Toolbox;
import dev.postern.observe.TraceSpan;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A conversation with a model in one turn. The model gets a request, then the results of the tools that it calls, until it
 * replies. When its calls or tokens are used up it gets one last request, in which it may call no tool. A response from before
 * a pause is never the last one: calls followed it.
 */
final class ModelConversation {

    /**
     * The most characters of a model's completions and of its tools' results in one turn, because all are kept until its
     * end.
     */
    private static final int MOST_CHARACTERS = 16 * 1024 * 1024;

    private static final String NO_REPLY = "(no reply)";

    /** The finish reason of a response that names none, or is no completion at all. */
    private static final String UNKNOWN = "unknown";

    /** The finish reason of a response that ended at the model's output limit. */
    private static final String LENGTH = "length";

    /** The finish reason of a response that the model has ended itself. */
    private static final String STOP = "stop";

    private final ProviderAdapter providerAdapter;
    private final List<ThinkingVariant> candidates;
    private final ModelEndpoint modelEndpoint;
    private final String providerName;
    private final ProviderHttpClient http;
    private final ProviderFailureMessages providerFailureMessages;
    private final Toolbox toolbox;
    private final TurnCancellation turnCancellation;
    private final String model;
    private final @Nullable Integer maxTokens;
    private final TurnRecorder log;
    private final List<ToolSpecification> tools;
    private final List<ChatMessage> messages;
    private boolean hasCalled;
    private long results;
    private int candidate;
    private int accepted;

    /**
     * Creates a conversation that has not begun.
     *
     * @param providerAdapter offers the variants of a request for thinking
     * @param providerName the name of the provider in spans
     * @param first the index of the variant to begin with
     */
    ModelConversation(
            ProviderAdapter providerAdapter,
            ModelEndpoint modelEndpoint,
            String providerName,
            int first,
            ProviderFailureMessages providerFailureMessages,
            Toolbox toolbox,
            BackendPrompt prompt,
            TurnCancellation turnCancellation) {
        this.providerAdapter = providerAdapter;
        this.candidates = providerAdapter.candidates(modelEndpoint, prompt.thinking());
        this.accepted = first;
        this.modelEndpoint = modelEndpoint;
        this.providerName = providerName;
        this.http = modelEndpoint.http();
        this.providerFailureMessages = providerFailureMessages;
        this.toolbox = toolbox;
        this.turnCancellation = turnCancellation;
        this.model = prompt.model();
        this.maxTokens = prompt.maxTokens();
        this.log = prompt.recorder();
        this.tools = tools(providerAdapter, providerFailureMessages);
        this.messages = messages(prompt);
    }

    /**
     * A blank line of the user is left out, because providers refuse it. A blank line of the model is replaced by a note,
     * because some providers refuse two lines of one role. A sender may have dictated the model's earlier lines.
     */
    private static List<ChatMessage> messages(BackendPrompt prompt) {
        List<ChatMessage> messages = new ArrayList<>();
        if (!prompt.instructions().isBlank()) {
            messages.add(SystemMessage.from(prompt.instructions()));
        }
        for (TranscriptRepository.Line line : prompt.history()) {
            if (line.role() == TranscriptRepository.Role.ASSISTANT) {
                messages.add(AiMessage.from(line.text().isBlank() ? NO_REPLY : Boundary.defused(line.text())));
            } else if (!line.text().isBlank()) {
                messages.add(UserMessage.from(line.text()));
            }
        }
        messages.add(UserMessage.from(prompt.message().text()));
        return messages;
    }

    /** The tools that the provider accepts; it would refuse every request that contains another one. */
    private List<ToolSpecification> tools(
            ProviderAdapter providerAdapter, ProviderFailureMessages providerFailureMessages) {
        List<ToolSpecification> unfit = toolbox.tools().stream()
                .filter(tool -> !providerAdapter.takes(tool))
                .toList();
        if (!unfit.isEmpty()) {
            log.addNote("Tools left out, since kind "
                    + providerFailureMessages.provider().kind()
                    + " does not take the names of their arguments: " + unfit.size() + ", "
                    + unfit.get(0).name() + " first.");
        }
        return toolbox.tools().stream().filter(providerAdapter::takes).toList();
    }

    /** Holds the conversation and returns the turn's result. */
    TurnResult outcome() {
        try {
            take(accepted);
            while (true) {
                boolean last = hasCalled && !http.isPlaying() && (toolbox.callsLeft() == 0 || hasUsedTokens());
                ChatResponse response = ask(last);
                String why = writtenDown(response);
                AiMessage said = response.aiMessage();
                if (!said.hasToolExecutionRequests()) {
                    return ended(said, why);
                }
                messages.add(said);
                if (last && toolbox.callsLeft() > 0) {
                    return brokenOff(said, why);
                }
                call(said.toolExecutionRequests(), why.equals(LENGTH));
                if (last) {
                    return brokenOff(said, why);
                }
            }
        } catch (ChatException failure) {
            return failure.outcome();
        }
    }

    /** Whether the turn has used up its tokens; its record says so then. */
    private boolean hasUsedTokens() {
        Integer most = maxTokens;
        if (most == null || log.tokens() < most) {
            return false;
        }
        log.addNote("The turn has used up its tokens (maxTokensPerTurn " + most + ").");
        return true;
    }

    /** The index of the variant that the provider accepted; the first one tried if it accepted none. */
    int accepted() {
        return accepted;
    }

    private void take(int index) {
        candidate = index;
        if (!candidates.get(index).note().isEmpty()) {
            log.addNote(candidates.get(index).note());
        }
    }

    private ChatResponse ask(boolean last) {
        bound();
        ChatRequest request = request(last);
        while (true) {
            http.begin(request.toolSpecifications().size());
            try {
                ChatResponse response = chat(request);
                // Later on the provider may refuse the thoughts that were sent back, not the level.
                accepted = hasCalled ? accepted : candidate;
                return response;
            } catch (ContentFilteredException e) {
                throw new ChatException(providerFailureMessages.empty("content_filter"));
            } catch (RuntimeException e) {
                ChatException failure = ChatException.in(e);
                if (failure == null && http.isAnswered()) {
                    http.recordResponse();
                    throw new ChatException(providerFailureMessages.notAReply());
                }
                if (failure == null) {
                    throw e;
                }
                if (!failure.allowsOtherVariant() || candidate + 1 == candidates.size()) {
                    throw failure;
                }
                take(candidate + 1);
            }
        }
    }

    /** Sends one request, in a span of the semantic conventions for generative AI ("chat"), unless it was sent before. */
    private ChatResponse chat(ChatRequest request) {
        if (http.isPlaying()) {
            return candidates.get(candidate).model().chat(request);
        }
        try (TraceSpan span = TraceSpan.call("chat " + modelEndpoint.model())) {
            span.set("gen_ai.operation.name", "chat")
                    .set("gen_ai.provider.name", providerName)
                    .set("gen_ai.request.model", modelEndpoint.model());
            try {
                ChatResponse response = candidates.get(candidate).model().chat(request);
                TokenUsage usage = response.tokenUsage();
                span.set("gen_ai.response.model", response.modelName())
                        .setFinishReason(word(providerAdapter.finishReason(response)))
                        .set("gen_ai.usage.input_tokens", usage == null ? null : count(usage.inputTokenCount()))
                        .set("gen_ai.usage.output_tokens", usage == null ? null : count(usage.outputTokenCount()));
                return response;
            } catch (RuntimeException e) {
                span.fail(e.getClass().getSimpleName());
                throw e;
            }
        }
    }

    private static @Nullable Long count(@Nullable Integer tokens) {
        return tokens == null ? null : (long) Math.max(0, tokens);
    }

    private ChatRequest request(boolean last) {
        ChatRequest.Builder request = ChatRequest.builder().messages(messages);
        if (!last) {
            request.toolSpecifications(tools);
        } else if (providerAdapter.needsToolsWithCalls() && !tools.isEmpty()) {
            request.toolSpecifications(tools).toolChoice(ToolChoice.NONE);
        }
        return request.build();
    }

    /**
     * Makes {@code calls}, except for the last one if {@code isCut}: its arguments may lack something, and still be an object.
     */
    private void call(List<ToolExecutionRequest> calls, boolean isCut) {
        hasCalled = true;
        int whole = isCut ? calls.size() - 1 : calls.size();
        for (int i = 0; i < calls.size(); i++) {
            ToolExecutionRequest call = calls.get(i);
            bound();
            if (turnCancellation.isRequested()) {
                throw new ChatException(turnCancellation.outcome().join());
            }
            List<ApprovalQuestion> questions = toolbox.questions(calls.subList(Math.min(i, whole), whole));
            if (!questions.isEmpty()) {
                throw new ChatException(new TurnResult.Paused(model, questions));
            }
            String result = i < whole ? toolbox.call(call) : toolbox.refuseCut(call);
            results += result.length();
            messages.add(ToolExecutionResultMessage.from(call, result));
        }
    }

    private void bound() {
        if (http.receivedCharacters() + results > MOST_CHARACTERS) {
            throw new ChatException(providerFailureMessages.tooMuch(MOST_CHARACTERS));
        }
    }

    private String writtenDown(ChatResponse response) {
        TokenUsage usage = response.tokenUsage();
        if (usage != null) {
            if (http.isPlayed()) {
                log.addEarlierTokens(usage.inputTokenCount(), usage.outputTokenCount());
            } else {
                log.addTokens(usage.inputTokenCount(), usage.outputTokenCount());
            }
        }
        log.recordAnsweredBy(response.modelName());
        String why = word(providerAdapter.finishReason(response));
        log.recordFinishReason(why);
        return why;
    }

    private static String word(@Nullable FinishReason reason) {
        if (reason == null) {
            return UNKNOWN;
        }
        return switch (reason) {
            case STOP -> STOP;
            case LENGTH -> LENGTH;
            case TOOL_EXECUTION -> "tool_calls";
            case CONTENT_FILTER -> "content_filter";
            case OTHER -> "other";
        };
    }

    private TurnResult ended(AiMessage said, String why) {
        String reply = reply(said, why);
        if (reply.isEmpty() && !(hasCalled && why.equals(STOP))) {
            if (why.equals(UNKNOWN)) {
                http.recordResponse();
            }
            return providerFailureMessages.empty(why);
        }
        if (why.equals(LENGTH)) {
            log.addNote("The reply was cut at the model's output limit.");
        } else if (why.equals("content_filter")) {
            log.addNote("The provider's content filter cut the reply.");
        }
        return new TurnResult.Replied(reply);
    }

    /** The result if the model asks for tools although it may call none. */
    private TurnResult brokenOff(AiMessage said, String why) {
        String reply = reply(said, why);
        return reply.isEmpty() ? providerFailureMessages.endless() : new TurnResult.Replied(reply);
    }

    private static String reply(AiMessage said, String why) {
        return ReplyText.of(ThoughtTags.removeThought(said.text() == null ? "" : said.text(), why.equals(STOP)));
    }
}
