package dev.postern.config;

import dev.postern.config.MappingSettings.Encoding;
import dev.postern.config.MappingSettings.Scheme;
import dev.postern.config.MappingSettings.SignatureForm;
import dev.postern.config.MappingSettings.Verify;
import dev.postern.config.MappingTypes.Verbatim;
import dev.postern.config.ScalarTypes.Address;
import dev.postern.config.ScalarTypes.Choice;
import dev.postern.config.ScalarTypes.Flag;
import dev.postern.config.ScalarTypes.Text;
import dev.postern.config.ScalarTypes.Whole;
import dev.postern.config.SettingDeclaration.Group;
import dev.postern.config.SettingDeclaration.Setting;
import dev.postern.config.ValueType.Invalid;
import dev.postern.model.Secret;
import java.net.URI;
import java.time.Duration;
import java.util.Base64;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/** The section {@code verify} of a mapping: the signature that authenticates senders that can't send a token. */
final class VerifySection {

    private VerifySection() {}

    /** The most secrets that are valid at one time. */
    static final int MAX_SECRETS = 10;

    private static final String SECRET_PREFIX = "whsec_";
    private static final Pattern FIELD = Pattern.compile("[^.\\s{}$]+(\\.[^.\\s{}$]+)*");
    private static final ValueType<String> HEADER_NAME = new Text("a header name", ScalarTypes.HEADER_NAME);

    static final Setting<String> SCHEME = Setting.needed(
            "scheme",
            new Choice("standard-webhooks", "github", "stripe", "slack", "gitlab", "twilio", "sns", "hmac"),
            "Whose way of signing it is; hmac for any other keyed hash, which the settings below describe.");
    static final Setting<List<Secret>> SECRET = Setting.optional(
            "secret",
            new SecretTypes.Credentials(MAX_SECRETS),
            "What the sender signs with; a list while it is changed.");
    static final Setting<List<Secret>> SECRETS =
            Setting.optional("secrets", new SecretTypes.Credentials(MAX_SECRETS), "The same as secret.");
    static final Setting<Boolean> REQUIRED =
            Setting.of("required", new Flag(), false, "Whether a request with the token needs the signature too.");
    static final Setting<String> HEADER =
            Setting.optional("header", HEADER_NAME, "The request header that holds the signature.");
    static final Setting<String> ALGORITHM =
            Setting.of("algorithm", new Choice("sha256", "sha1", "sha512"), "sha256", "The hash.");
    static final Setting<String> ENCODING =
            Setting.of("encoding", new Choice("hex", "base64"), "hex", "How the hash is written.");
    static final Setting<String> PREFIX = Setting.optional(
            "prefix", new Verbatim("what stands before the signature"), "What stands before it, such as sha256=.");
    static final Setting<String> TIMESTAMP_HEADER = Setting.optional(
            "timestampHeader",
            HEADER_NAME,
            "The request header with the time, in seconds, that is signed with the body.");
    static final Setting<String> SEPARATOR = Setting.of(
            "separator", new Verbatim("what stands between time and body"), ".", "What stands between time and body.");
    static final Setting<String> TIMESTAMP_FIELD = Setting.optional(
            "timestampField",
            new Text("the name of a field of the payload, or names with full stops between them", FIELD),
            "The payload's field with the time it was sent: seconds or milliseconds since 1970, or ISO 8601.");
    /** SNS repeats a message for at most an hour, with its first time; clocks may differ by five minutes. */
    private static final Duration SNS_TOLERANCE = Duration.ofMinutes(65);

    static final Setting<Integer> TOLERANCE_SECONDS =
            Setting.of("toleranceSeconds", new Whole(1, 86_400), 300, "How far that time may be from now, either way.");

    static final Setting<URI> URL = Setting.optional(
            "url",
            new Address(false),
            "With scheme twilio, which signs it: the address of this hook as it is set there, with its query.");

    private static final int LEAST_KEY_BYTES = 24;

    static final Group VERIFY = Group.of(
            "verify",
            "How the sender signs. On this path, a request without a token is let in by its signature.",
            SCHEME,
            SECRET,
            SECRETS,
            REQUIRED,
            HEADER,
            ALGORITHM,
            ENCODING,
            PREFIX,
            TIMESTAMP_HEADER,
            SEPARATOR,
            TIMESTAMP_FIELD,
            TOLERANCE_SECONDS,
            URL);

    private static final List<Setting<?>> OF_HMAC = List.of(
            HEADER, ALGORITHM, ENCODING, PREFIX, TIMESTAMP_HEADER, SEPARATOR, TIMESTAMP_FIELD, TOLERANCE_SECONDS);

    /**
     * The signature settings in {@code verify}; null if they are unusable.
     *
     * @param signing the secrets for a {@code verify} that holds none of its own; may be empty
     * @param sns the topics of {@code hooks.sns}; null if there are none
     */
    static @Nullable Verify read(SectionReader verify, List<Secret> signing, @Nullable SnsSettings sns) {
        Optional<String> named = verify.given(SCHEME);
        boolean bySns = named.filter("sns"::equals).isPresent();
        List<Secret> secrets = bySns ? List.of() : secrets(verify, signing);
        boolean required = verify.get(REQUIRED);
        if (named.isEmpty()) {
            return null;
        }
        Scheme scheme = Scheme.valueOf(named.get().replace('-', '_').toUpperCase(Locale.ROOT));
        if (bySns) {
            checkSns(verify, sns);
        }
        Setting<List<Secret>> setting = verify.contains(SECRETS) ? SECRETS : SECRET;
        if (verify.contains(setting)) {
            error(scheme, secrets).ifPresent(invalid -> verify.problem(setting, invalid.wrong(), invalid.instead()));
            if (scheme == Scheme.STANDARD_WEBHOOKS) {
                warnIfShort(verify, setting, secrets);
            }
        }
        for (Setting<?> free : OF_HMAC) {
            if (scheme != Scheme.HMAC && verify.contains(free)) {
                verify.problem(free, "is fixed by the scheme " + named.get(), "remove it, or write scheme: hmac");
            }
        }
        if (scheme == Scheme.TWILIO && !verify.contains(URL)) {
            verify.problem(URL, "is missing, which Twilio signs", "write the address that is set at Twilio");
        } else if (scheme != Scheme.TWILIO && verify.contains(URL)) {
            verify.problem(URL, "is not signed by the scheme " + named.get(), "remove it, or write scheme: twilio");
        }
        return new Verify(
                scheme,
                secrets,
                required,
                form(scheme, verify),
                verify.given(TIMESTAMP_FIELD).orElse(null),
                scheme == Scheme.SNS ? SNS_TOLERANCE : DeclaredSettings.seconds(verify.get(TOLERANCE_SECONDS)),
                verify.given(URL).orElse(null),
                scheme == Scheme.SNS ? sns : null);
    }

    private static void checkSns(SectionReader verify, @Nullable SnsSettings sns) {
        for (Setting<List<Secret>> secret : List.of(SECRET, SECRETS)) {
            if (verify.contains(secret)) {
                verify.problem(secret, "stands with scheme sns, which signs with a certificate", "remove it");
            }
        }
        if (sns == null) {
            verify.problem(SCHEME, "is sns, but no topic may send", "name the topics in hooks.sns.topics");
        }
    }

    private static SignatureForm form(Scheme scheme, SectionReader verify) {
        return switch (scheme) {
            case STANDARD_WEBHOOKS ->
                new SignatureForm("webhook-signature", Encoding.BASE64, "v1,", "webhook-timestamp", ".");
            case GITHUB -> new SignatureForm("x-hub-signature-256", Encoding.HEX, "sha256=", null, "");
            case STRIPE -> new SignatureForm("stripe-signature", Encoding.HEX, "v1=", "stripe-signature", ".");
            case SLACK -> new SignatureForm("x-slack-signature", Encoding.HEX, "v0=", "x-slack-request-timestamp", ":");
            case GITLAB -> new SignatureForm("x-gitlab-token", Encoding.HEX, "", null, "");
            case SNS -> new SignatureForm("", Encoding.BASE64, "", null, "");
            case TWILIO -> new SignatureForm("x-twilio-signature", "HmacSHA1", Encoding.BASE64, "", null, "");
            case HMAC -> written(verify);
        };
    }

    private static SignatureForm written(SectionReader verify) {
        Optional<String> header = verify.given(HEADER).map(name -> name.toLowerCase(Locale.ROOT));
        if (!verify.contains(HEADER)) {
            verify.problem(HEADER, "is missing", "write the name of the header that holds the signature");
        }
        if (verify.given(PREFIX).orElse("").contains(",")) {
            verify.problem(PREFIX, "holds a comma, which stands between signatures", "write the part after it");
        }
        if (verify.contains(TIMESTAMP_FIELD) && verify.contains(TIMESTAMP_HEADER)) {
            verify.problem(
                    TIMESTAMP_FIELD, "stands beside timestampHeader, which says the time too", "keep one of them");
        }
        if (verify.contains(SEPARATOR) && !verify.contains(TIMESTAMP_HEADER)) {
            verify.warn(SEPARATOR, "is used for nothing without timestampHeader");
        }
        if (verify.contains(TOLERANCE_SECONDS)
                && !verify.contains(TIMESTAMP_HEADER)
                && !verify.contains(TIMESTAMP_FIELD)) {
            verify.warn(TOLERANCE_SECONDS, "is used for nothing without timestampHeader or timestampField");
        }
        return new SignatureForm(
                header.orElse(""),
                "Hmac" + verify.get(ALGORITHM).toUpperCase(Locale.ROOT),
                Encoding.valueOf(verify.get(ENCODING).toUpperCase(Locale.ROOT)),
                verify.given(PREFIX).orElse(""),
                verify.given(TIMESTAMP_HEADER)
                        .map(name -> name.toLowerCase(Locale.ROOT))
                        .orElse(null),
                verify.get(SEPARATOR));
    }

    private static List<Secret> secrets(SectionReader verify, List<Secret> signing) {
        if (verify.contains(SECRET) && verify.contains(SECRETS)) {
            verify.problem(SECRETS, "stands beside secret, which is the same setting", "keep one of them");
        }
        boolean none = !verify.contains(SECRET) && !verify.contains(SECRETS);
        if (none && signing.isEmpty()) {
            verify.problem(SECRET, "is missing", "write " + SECRET.type().expected());
        }
        return verify.given(SECRET).or(() -> verify.given(SECRETS)).orElse(signing);
    }

    /** The error that makes {@code secrets} unusable for {@code scheme}; empty if there is none. */
    static Optional<Invalid<List<Secret>>> error(Scheme scheme, List<Secret> secrets) {
        if (new HashSet<>(secrets).size() < secrets.size()) {
            return Optional.of(new Invalid<>("holds the same secret twice", "write each secret once"));
        }
        boolean broken = secrets.stream()
                .filter(secret -> scheme == Scheme.STANDARD_WEBHOOKS || (scheme == Scheme.GITLAB && isMarked(secret)))
                .anyMatch(secret -> key(secret).map(key -> key.length == 0).orElse(true));
        return broken
                ? Optional.of(new Invalid<>(
                        "is no signing secret of Standard Webhooks",
                        "write whsec_ and then base64, the same on both sides"))
                : Optional.empty();
    }

    /** Warns of a key that is shorter than the specification asks for ("Signature scheme", symmetric: 24 to 64 bytes). */
    static void warnIfShort(SectionReader section, Setting<?> setting, List<Secret> secrets) {
        secrets.stream()
                .map(VerifySection::key)
                .flatMap(Optional::stream)
                .filter(key -> key.length < LEAST_KEY_BYTES)
                .findFirst()
                .ifPresent(key -> section.warn(
                        setting,
                        "is a key of " + key.length + " bytes, where Standard Webhooks asks for " + LEAST_KEY_BYTES
                                + " to 64: write whsec_ and the output of openssl rand -base64 32"));
    }

    private static boolean isMarked(Secret secret) {
        return secret.reveal().startsWith(SECRET_PREFIX);
    }

    /**
     * The key in base64, with or without {@code whsec_} before it; see the Standard Webhooks specification, "Signature
     * scheme".
     */
    private static Optional<byte[]> key(Secret secret) {
        String text = secret.reveal();
        try {
            return Optional.of(
                    Base64.getDecoder().decode(isMarked(secret) ? text.substring(SECRET_PREFIX.length()) : text));
        } catch (IllegalArgumentException undecodable) {
            return Optional.empty();
        }
    }
}
