package dev.postern.config;

import dev.postern.model.CoalescingRule;
import dev.postern.model.Secret;
import dev.postern.model.TurnPriority;
import java.net.URI;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Arrays;
import java.util.EnumMap;
import java.util.EnumSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * The settings of a mapped hook, from the operator or a preset. Its structure is checked and every secret resolved; no
 * template and no script is compiled yet.
 *
 * @param id the mapping's name in responses and logs: as given, else {@code mappings[2]}; unique
 * @param where file, line and column of the mapping, or {@code preset github:12:5}, for messages to the operator
 * @param texts the given templates, none blank; of {@link TextField#MESSAGE} and {@link TextField#TEXT} at most the one
 *     that {@code action} needs
 * @param forEach the top-level key of the payload whose elements make one action each; null for one action
 * @param turn the settings of an agent turn beside the templates
 * @param verify the signature that authenticates requests without a token; needs {@code match.path}; null for none
 * @param trusted {@code allowUnsafeExternalContent}
 */
public record MappingSettings(
        String id,
        String where,
        Match match,
        Action action,
        Map<TextField, Text> texts,
        @Nullable String forEach,
        @Nullable Transform transform,
        TurnOptions turn,
        @Nullable Verify verify,
        Payload payload,
        Response response,
        Load load,
        boolean trusted,
        ReplyToSource replyToSource) {

    public MappingSettings {
        texts = texts.isEmpty() ? Map.of() : new EnumMap<>(texts);
    }

    /** The same mapping with a rule for requests that become one action together. */
    MappingSettings coalescing(Text key, CoalescingRule rule) {
        return with(Map.of(TextField.COALESCE_KEY, key), turn, new Load(load.maxPending(), rule), replyToSource);
    }

    /** The same mapping with another template. */
    MappingSettings with(TextField field, Text text) {
        return with(Map.of(field, text), turn, load, replyToSource);
    }

    /**
     * The same mapping with its replies sent to where the event happened.
     *
     * @param channel the id of the channel that writes there
     * @param to the recipient on that channel
     * @param author the account that caused the event
     */
    MappingSettings replying(Text channel, Text to, Text author, ReplyToSource reply) {
        return with(
                Map.of(TextField.CHANNEL, channel, TextField.TO, to, TextField.SOURCE_AUTHOR, author),
                turn.delivering(),
                load,
                reply);
    }

    private MappingSettings with(Map<TextField, Text> further, TurnOptions turn, Load load, ReplyToSource reply) {
        Map<TextField, Text> all = new EnumMap<>(TextField.class);
        all.putAll(texts);
        all.putAll(further);
        return new MappingSettings(
                id,
                where,
                match,
                action,
                /* texts= */ all,
                forEach,
                transform,
                turn,
                verify,
                payload,
                response,
                load,
                trusted,
                /* replyToSource= */ reply);
    }

    /** The kind of action that a mapping makes from a payload. */
    public enum Action {
        WAKE("wake"),
        AGENT("agent"),
        /** A delivery of the text as it is, without an agent. */
        DELIVER("deliver");

        private final String wire;

        Action(String wire) {
            this.wire = wire;
        }

        /** The value as configurations and scripts spell it. */
        public String wire() {
            return wire;
        }

        /** The kind spelled {@code wire}; empty if there is none. */
        public static Optional<Action> of(String wire) {
            return Arrays.stream(values())
                    .filter(kind -> kind.wire.equals(wire))
                    .findFirst();
        }
    }

    /**
     * The options of an agent turn that are no templates.
     *
     * @param instructions the operator's own instructions to the model
     * @param deliver whether the reply is delivered; null if the mapping does not say
     * @param timeout the time limit of the turn; null if the mapping does not say
     * @param fallbacks the models, or aliases, to ask while the provider of the model is down; empty for the agent's own
     * @param tools the only tools allowed; empty for all of the agent's tools, an empty list for none
     * @param approve the tools whose calls need an operator's approval, in addition to those of the agent
     * @param priority the priority of the turn among those of other hooks
     */
    public record TurnOptions(
            @Nullable String instructions,
            @Nullable Boolean deliver,
            @Nullable Duration timeout,
            Optional<List<String>> fallbacks,
            Optional<List<String>> tools,
            List<String> approve,
            TurnPriority priority) {

        /** The options of a mapping that sets none of them. */
        public static final TurnOptions NONE =
                new TurnOptions(null, null, null, Optional.empty(), Optional.empty(), List.of(), TurnPriority.NORMAL);

        public TurnOptions {
            fallbacks = fallbacks.map(List::copyOf);
            tools = tools.map(List::copyOf);
            approve = List.copyOf(approve);
        }

        /** The same options with the reply delivered. */
        TurnOptions delivering() {
            return new TurnOptions(instructions, true, timeout, fallbacks, tools, approve, priority);
        }
    }

    /** A field of a mapping that is a template. */
    public enum TextField {
        MESSAGE("messageTemplate"),
        TEXT("textTemplate"),
        NAME("name"),
        AGENT_ID("agentId"),
        SESSION_KEY("sessionKey"),
        WAKE_MODE("wakeMode"),
        CHANNEL("channel"),
        TO("to"),
        MODEL("model"),
        THINKING("thinking"),
        IDEMPOTENCY_KEY("idempotencyKey"),
        COALESCE_KEY("coalesce.key"),
        SOURCE_AUTHOR("source.author"),
        SOURCE_MARK("source.mark");

        private static final Set<TextField> APART =
                EnumSet.of(IDEMPOTENCY_KEY, COALESCE_KEY, SOURCE_AUTHOR, SOURCE_MARK);

        private final String wire;

        TextField(String wire) {
            this.wire = wire;
        }

        /** Whether its text is no field of an action, but says something about the request. */
        public boolean isApart() {
            return APART.contains(this);
        }

        /** The field's name in a configuration file. */
        public String settingName() {
            return wire;
        }
    }

    /**
     * A template as written.
     *
     * @param where the setting and its place, such as {@code hooks.mappings[0].to [/home/p/.postern/postern.yaml:12:9]}
     */
    public record Text(String template, String where) {

        /** Whether its result depends on the request. */
        public boolean isTemplated() {
            return MappingTypes.isTemplated(template);
        }
    }

    /**
     * The conditions on requests that a mapping takes. All given conditions have to hold; without any, it takes every
     * request.
     *
     * @param path the path below {@code hooks.path}, without leading and trailing slashes
     * @param source the payload's {@code source}
     * @param headers exact values by lower-case name
     */
    public record Match(@Nullable String path, @Nullable String source, Map<String, String> headers) {

        public Match {
            headers = Map.copyOf(headers);
        }
    }

    /**
     * The transform of a mapping: a script, and the function that it exports.
     *
     * @param module the script, a file inside the transforms root; absolute, its symbolic links resolved
     * @param export the function's name; null for {@code default}, else {@code transform}
     * @param where as in {@link Text}
     */
    public record Transform(Path module, @Nullable String export, String where) {}

    /**
     * The settings for payloads.
     *
     * @param body the encodings of bodies that are taken beside plain JSON
     * @param kept the requests whose payloads are kept; null if the mapping does not say
     * @param sample a file with a payload to try the mapping with; null for none
     */
    public record Payload(Body body, Settings.@Nullable KeptPayloads kept, @Nullable Path sample) {

        /** The settings of a mapping that sets none of them. */
        public static final Payload DEFAULT = new Payload(Body.JSON, null, null);
    }

    /**
     * The settings for responses.
     *
     * @param replyToSender whether a sender without a token, authenticated by signature, gets the agent's reply
     * @param successStatus the HTTP status of responses to requests that succeed; null for the usual one
     */
    public record Response(boolean replyToSender, @Nullable Integer successStatus) {

        /** The settings of a mapping that sets none of them. */
        public static final Response DEFAULT = new Response(false, null);
    }

    /**
     * The settings for many requests.
     *
     * @param maxPending the most accepted and unfinished actions of the mapping; null for any number
     * @param coalesce the rule for requests that become one action together, whose key is {@link TextField#COALESCE_KEY};
     *     null if each request has actions of its own
     */
    public record Load(@Nullable Integer maxPending, @Nullable CoalescingRule coalesce) {

        /** The settings of a mapping that sets none of them. */
        public static final Load DEFAULT = new Load(null, null);
    }

    /**
     * The settings for replies that go to where the event happened ({@code replyTo: source}).
     *
     * @param ownAccount the account of the channel through which they go there; events of this account ask for nothing. Null
     *     if replies don't go there
     * @param required whether a reply without such a place is not delivered at all
     */
    public record ReplyToSource(@Nullable String ownAccount, boolean required) {

        /** The settings of a mapping whose replies don't go there. */
        public static final ReplyToSource NONE = new ReplyToSource(null, false);
    }

    /**
     * The encodings of bodies that are taken at the mapping's path beside plain JSON.
     *
     * @param gzip whether a body may be compressed
     * @param form the payload of a body that is a form; null if none may be
     */
    public record Body(boolean gzip, @Nullable FormPayload form) {

        /** Plain JSON alone. */
        public static final Body JSON = new Body(false, null);
    }

    /** The payload of a form ({@code application/x-www-form-urlencoded}). */
    public enum FormPayload {
        /** The JSON in the form's field {@code payload}. */
        PAYLOAD,
        /** An object of all fields. */
        FIELDS
    }

    /**
     * The settings for checking a sender's signature.
     *
     * @param secrets one, or several while they are rotated; a signature with any of them is valid
     * @param required whether a request with a token needs the signature too
     * @param form the form of the signature, completed with the values that the scheme fixes
     * @param timestampField the body's field with the sending time, as names with full stops between them; null if the
     *     body's time is not checked
     * @param tolerance the largest difference between the sending time and now, either way
     * @param url the address that the sender calls and signs; null if the scheme does not sign it
     * @param sns the topics whose messages are taken; null for another scheme
     */
    public record Verify(
            Scheme scheme,
            List<Secret> secrets,
            boolean required,
            SignatureForm form,
            @Nullable String timestampField,
            Duration tolerance,
            @Nullable URI url,
            @Nullable SnsSettings sns) {

        public Verify {
            secrets = List.copyOf(secrets);
        }

        /** How long a signed request is valid, from the earliest moment to the last; empty if it has no signed time. */
        Optional<Duration> validity() {
            boolean isTimed = scheme == Scheme.SNS || form.timestampHeader() != null || timestampField != null;
            return isTimed ? Optional.of(tolerance.multipliedBy(2)) : Optional.empty();
        }

        /** The settings of a scheme that has secrets and does not sign the address. */
        public Verify(
                Scheme scheme,
                List<Secret> secrets,
                boolean required,
                SignatureForm form,
                @Nullable String timestampField,
                Duration tolerance) {
            this(scheme, secrets, required, form, timestampField, tolerance, null, null);
        }
    }

    /**
     * The form of a signed request.
     *
     * @param header the header with the signature, lower case
     * @param algorithm as {@link javax.crypto.Mac#getInstance(String)} has it, such as {@code HmacSHA256}
     * @param prefix the text before the signature in its header, such as {@code sha256=}; may be empty
     * @param timestampHeader the header with the sending time, lower case; null if the signature covers the body alone
     * @param separator the text between the timestamp and the body in the signed text
     */
    public record SignatureForm(
            String header,
            String algorithm,
            Encoding encoding,
            String prefix,
            @Nullable String timestampHeader,
            String separator) {

        /** Creates a form with SHA-256, which every scheme with a name uses. */
        public SignatureForm(
                String header, Encoding encoding, String prefix, @Nullable String timestampHeader, String separator) {
            this(header, "HmacSHA256", encoding, prefix, timestampHeader, separator);
        }
    }

    /** The signature scheme of a sender. */
    public enum Scheme {
        STANDARD_WEBHOOKS,
        GITHUB,
        STRIPE,
        SLACK,
        /** No signature: the secret itself, in a header. */
        GITLAB,
        /** A keyed hash of the address and the fields of a form. */
        TWILIO,
        /** A certificate of Amazon SNS. */
        SNS,
        /** A keyed hash of the body, as the other settings say. */
        HMAC
    }

    /** The encoding of a keyed hash. */
    public enum Encoding {
        HEX,
        BASE64
    }
}
