package dev.postern.config;

import dev.postern.model.Secret;
import java.nio.file.Path;
import java.time.Duration;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * A mapped hook as configured, by the operator or by a preset: its shape checked, every secret resolved, no template and
 * no script compiled yet.
 *
 * @param id names the mapping in answers and logs: as given, else {@code mappings[2]}; unique
 * @param where file, line and column of the mapping, or {@code preset github:12:5}, for messages to the operator
 * @param texts the templates that are given, none blank; of {@link TextField#MESSAGE} and {@link TextField#TEXT} at most
 *     the one that {@code action} needs
 * @param forEach the top-level key of the payload whose elements make one action each; null for one action
 * @param turn what the mapping says of an agent turn beside its templates
 * @param verify the signature by which requests without a token are let in; needs {@code match.path}
 * @param replyToSender whether a sender that only its signature lets in is told what the agent has replied
 * @param sample a file with a payload to try the mapping with
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
        boolean replyToSender,
        @Nullable Path sample,
        boolean trusted) {

    public MappingSettings {
        texts = texts.isEmpty() ? Map.of() : new EnumMap<>(texts);
    }

    /** What a mapping makes of a payload. */
    public enum Action {
        WAKE,
        AGENT
    }

    /**
     * The options of an agent turn that are no templates.
     *
     * @param instructions the operator's own words to the model
     * @param deliver null where the mapping does not say
     * @param timeout null where the mapping does not say
     * @param tools empty where the mapping leaves the agent's tools as they are; an empty list takes all away
     */
    public record TurnOptions(
            @Nullable String instructions,
            @Nullable Boolean deliver,
            @Nullable Duration timeout,
            Optional<List<String>> tools) {

        /** The options of a mapping that says nothing of them. */
        public static final TurnOptions NONE = new TurnOptions(null, null, null, Optional.empty());

        public TurnOptions {
            tools = tools.map(List::copyOf);
        }
    }

    /** The fields of a mapping that are templates. */
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
        IDEMPOTENCY_KEY("idempotencyKey");

        private final String wire;

        TextField(String wire) {
            this.wire = wire;
        }

        /** The field's name in a configuration file. */
        public String wire() {
            return wire;
        }
    }

    /**
     * A template as written.
     *
     * @param where the setting and its place, such as {@code hooks.mappings[0].to [/home/p/.postern/postern.yaml:12:9]}
     */
    public record Text(String template, String where) {

        /** Whether what it comes out as depends on the request. */
        public boolean isTemplated() {
            return MappingTypes.isTemplated(template);
        }
    }

    /**
     * Which requests a mapping takes: all of what is given must hold; with nothing given, every one.
     *
     * @param path without leading and trailing slashes
     * @param source the payload's {@code source}
     * @param headers exact values by lower-case name
     */
    public record Match(@Nullable String path, @Nullable String source, Map<String, String> headers) {

        public Match {
            headers = Map.copyOf(headers);
        }
    }

    /**
     * A script.
     *
     * @param module absolute, its symbolic links resolved; a file inside the transforms root
     * @param export null for {@code default}, else {@code transform}
     * @param where as in {@link Text}
     */
    public record Transform(Path module, @Nullable String export, String where) {}

    /**
     * How a sender's signature is checked.
     *
     * @param secrets one, or several while they are rotated; a signature by any of them holds
     * @param required true where a token alone does not do
     * @param form filled in with what the scheme fixes
     * @param timestampField the body's field with the time of sending, as names with full stops between them; null where none
     *     is looked for there
     * @param tolerance how far the time may be from now, either way
     */
    public record Verify(
            Scheme scheme,
            List<Secret> secrets,
            boolean required,
            SignatureForm form,
            @Nullable String timestampField,
            Duration tolerance) {

        public Verify {
            secrets = List.copyOf(secrets);
        }
    }

    /**
     * What a signed request looks like.
     *
     * @param header lower case
     * @param algorithm as {@link javax.crypto.Mac#getInstance(String)} has it, such as {@code HmacSHA256}
     * @param prefix what stands before the signature in its header, such as {@code sha256=}; perhaps empty
     * @param timestampHeader lower case; null where the signature covers the body alone
     * @param separator what stands between the timestamp and the body in the text that is signed
     */
    public record SignatureForm(
            String header,
            String algorithm,
            Encoding encoding,
            String prefix,
            @Nullable String timestampHeader,
            String separator) {

        /** Of SHA-256, which every scheme with a name takes. */
        public SignatureForm(
                String header, Encoding encoding, String prefix, @Nullable String timestampHeader, String separator) {
            this(header, "HmacSHA256", encoding, prefix, timestampHeader, separator);
        }
    }

    /** Whose way of signing it is. */
    public enum Scheme {
        STANDARD_WEBHOOKS,
        GITHUB,
        STRIPE,
        SLACK,
        /** No signature: the secret itself, in a header. */
        GITLAB,
        /** A keyed hash of the body, as the other settings say. */
        HMAC
    }

    /** How a keyed hash is written. */
    public enum Encoding {
        HEX,
        BASE64
    }
}
