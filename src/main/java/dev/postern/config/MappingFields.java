package dev.postern.config;

import dev.postern.config.ListTypes.TextList;
import dev.postern.config.MappingSettings.TextField;
import dev.postern.config.MappingTypes.Template;
import dev.postern.config.MappingTypes.Templated;
import dev.postern.config.ScalarTypes.Choice;
import dev.postern.config.ScalarTypes.Flag;
import dev.postern.config.ScalarTypes.Text;
import dev.postern.config.ScalarTypes.Whole;
import dev.postern.config.SettingDeclaration.Group;
import dev.postern.config.SettingDeclaration.Rows;
import dev.postern.config.SettingDeclaration.Setting;
import dev.postern.model.TurnPriority;
import java.util.List;

/** The fields of a mapping, the same for the operator's mappings and those of presets. */
final class MappingFields {

    private MappingFields() {}

    static final String WAKE = "wake";
    static final String AGENT = "agent";
    static final String DELIVER_ACTION = "deliver";

    static final Setting<String> ID = Setting.optional(
            "id",
            new Text("an id of A-Z a-z 0-9 . _ -", SectionReader.ID),
            "Names it in responses and logs; mappings[<place>] when left out.");
    static final Setting<String> ACTION = Setting.of(
            "action",
            new Choice(WAKE, AGENT, DELIVER_ACTION),
            AGENT,
            "What is asked for: an agent's turn; wake, an event for the main session; or deliver, the text to a channel as it is.");
    static final Setting<String> TEMPLATE = Setting.optional(
            "template",
            new Template("a template"),
            "Stands for messageTemplate or textTemplate, whichever the action needs.");
    static final Setting<String> MESSAGE = text(
            TextField.MESSAGE,
            new Template("a template"),
            "What the agent is told, with action agent, or what is delivered, with action deliver.");
    static final Setting<String> TEXT =
            text(TextField.TEXT, new Template("a template"), "What the event says, with action wake.");
    static final Setting<String> INSTRUCTIONS = Setting.optional(
            "instructions",
            new Template("your words"),
            "Your own words to the model, outside the boundary around the payload's. No template.");
    static final Setting<String> FOR_EACH = Setting.optional(
            "forEach",
            new Text("the name of a field of the payload"),
            "The payload's field whose elements make one action each; templates know them as item and index.");
    static final Setting<String> NAME =
            text(TextField.NAME, new Templated(new Text("a name")), "What summaries call the hook.");
    static final Setting<String> AGENT_ID = text(
            TextField.AGENT_ID,
            new Templated(new Text("an agent's id of A-Z a-z 0-9 . _ -", SectionReader.ID)),
            "The agent whose turn it is, or whose main session gets the event; the default one when left out.");
    static final Setting<String> SESSION_KEY = text(
            TextField.SESSION_KEY,
            new Templated(new Text("a session key")),
            "The session of the turn. A template needs hooks.allowedSessionKeyPrefixes.");
    static final Setting<String> WAKE_MODE = text(
            TextField.WAKE_MODE,
            new Templated(new Choice("now", "next-heartbeat")),
            "When the main session looks: now, or next-heartbeat.");
    static final Setting<Boolean> DELIVER =
            Setting.optional("deliver", new Flag(), "Whether the agent's reply goes to a channel; yes when left out.");
    static final Setting<String> CHANNEL = text(
            TextField.CHANNEL, new Templated(new Text("last, inbox or a channel's id")), "Which channel it goes to.");
    static final Setting<String> TO =
            text(TextField.TO, new Templated(new Text("a recipient")), "Whom it goes to on that channel.");
    static final Setting<String> MODEL = text(
            TextField.MODEL,
            new Templated(new Text("a model id <provider>/<model> or an alias of models")),
            "The model of the turn, or an alias.");
    static final Setting<String> THINKING =
            text(TextField.THINKING, new Templated(AgentsSection.LEVEL), "How much the model thinks in that turn.");
    static final Setting<Integer> TIMEOUT_SECONDS =
            Setting.optional("timeoutSeconds", new Whole(1, 86_400), "How long that turn may take, in seconds.");
    static final Setting<List<String>> FALLBACKS = Setting.optional(
            "fallbacks",
            new TextList(new Text("a model id <provider>/<model> or an alias of models")),
            "The models to ask while the provider of its model is down; those of the agent when left out, [] for none.");
    static final Setting<List<String>> TOOLS = Setting.optional(
            "tools",
            new TextList(new Text("a tool's name")),
            "The only ones of the agent's tools that the turn may use; [] for none.");
    static final Setting<List<String>> APPROVE = Setting.optional(
            "approve",
            new TextList(new Text("a tool's name")),
            "The tools whose calls need an operator's approval in the turn, beside those of the agent's tools.approve.");
    static final Setting<String> PRIORITY = Setting.of(
            "priority",
            new Choice(TurnPriority.wires()),
            TurnPriority.NORMAL.wire(),
            "Its share of the turns while workers are scarce: high gets twice the turns of normal, low half.");
    static final Setting<Integer> MAX_PENDING = Setting.optional(
            "maxPending",
            new Whole(1, 10_000_000),
            "Its accepted but unfinished actions past which requests are answered 503.");
    static final Setting<String> IDEMPOTENCY_KEY = text(
            TextField.IDEMPOTENCY_KEY,
            new Templated(new Text("the sender's own delivery id")),
            "What tells the sender's deliveries apart, so that a repeated one is done once.");
    static final Setting<Boolean> REPLY_TO_SENDER = Setting.of(
            "replyToSender",
            new Flag(),
            false,
            "Whether a sender that signs, and sends no token, is told the agent's reply when it waits for it.");
    static final Setting<Integer> SUCCESS_STATUS = Setting.optional(
            "successStatus",
            new Whole(200, 202),
            "The HTTP status of each response to a request that succeeds, for a sender that takes no other.");
    static final Setting<String> PAYLOADS = Setting.optional(
            "payloads",
            ScalarTypes.KEPT_PAYLOADS,
            "Which payloads of this mapping are kept; requests.payloads when left out.");
    static final Setting<String> SAMPLE =
            Setting.optional("sample", new Text("a file"), "A file with a payload that check tries the mapping with.");
    static final Setting<Boolean> ALLOW_UNSAFE = Setting.of(
            "allowUnsafeExternalContent",
            new Flag(),
            false,
            "Takes the boundary around the payload's words away. For senders that you trust wholly.");

    static final Rows MAPPINGS = new Rows(
            "mappings",
            "Mapped hooks: what becomes of which requests. The first that matches decides, before those of presets.",
            Group.of(
                    "mapping",
                    "One mapped hook.",
                    ID,
                    MatchSection.MATCH,
                    ACTION,
                    MESSAGE,
                    TEXT,
                    TEMPLATE,
                    INSTRUCTIONS,
                    FOR_EACH,
                    TransformSection.TRANSFORM,
                    NAME,
                    AGENT_ID,
                    SESSION_KEY,
                    WAKE_MODE,
                    DELIVER,
                    CHANNEL,
                    TO,
                    SourceSection.REPLY_TO,
                    SourceSection.SOURCE,
                    MODEL,
                    THINKING,
                    TIMEOUT_SECONDS,
                    FALLBACKS,
                    TOOLS,
                    APPROVE,
                    PRIORITY,
                    MAX_PENDING,
                    CoalesceSection.COALESCE,
                    IDEMPOTENCY_KEY,
                    VerifySection.VERIFY,
                    BodySection.BODY,
                    REPLY_TO_SENDER,
                    SUCCESS_STATUS,
                    PAYLOADS,
                    SAMPLE,
                    ALLOW_UNSAFE));

    private static Setting<String> text(TextField field, ValueType<String> valueType, String does) {
        return Setting.optional(field.settingName(), valueType, does);
    }

    /** The setting of {@code field}. */
    static Setting<String> of(TextField field) {
        return switch (field) {
            case MESSAGE -> MESSAGE;
            case TEXT -> TEXT;
            case NAME -> NAME;
            case AGENT_ID -> AGENT_ID;
            case SESSION_KEY -> SESSION_KEY;
            case WAKE_MODE -> WAKE_MODE;
            case CHANNEL -> CHANNEL;
            case TO -> TO;
            case MODEL -> MODEL;
            case THINKING -> THINKING;
            case IDEMPOTENCY_KEY -> IDEMPOTENCY_KEY;
            case COALESCE_KEY -> CoalesceSection.KEY;
            case SOURCE_AUTHOR -> SourceSection.AUTHOR;
            case SOURCE_MARK -> SourceSection.MARK;
        };
    }
}
