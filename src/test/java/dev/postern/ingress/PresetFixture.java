package dev.postern.ingress;

import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.postern.acceptance.DeliveryLookup;
import dev.postern.access.HeaderLookup;
import dev.postern.access.SignatureResult;
import dev.postern.access.SignatureVerifier;
import dev.postern.config.ConfigurationLoader;
import dev.postern.config.ConfigurationResult;
import dev.postern.config.ConfigurationResult.Configured;
import dev.postern.config.MappingSettings;
import dev.postern.config.MappingSettings.Scheme;
import dev.postern.config.MappingSettings.Verify;
import dev.postern.config.ProcessEnvironment;
import dev.postern.config.Settings;
import dev.postern.mapping.HookRegistry;
import dev.postern.mapping.HookRegistry.Compilation;
import dev.postern.mapping.script.ScriptRegistry;
import dev.postern.model.HookRequest;
import dev.postern.model.IdGenerator;
import dev.postern.model.SignedContent;
import dev.postern.net.BackgroundFetcher.Fetched;
import dev.postern.policy.Policy;
import dev.postern.policy.RecipientFormats;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.time.InstantSource;
import java.time.ZoneOffset;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** A Postern up to the database, with a configuration that names every preset. */
final class PresetFixture implements AutoCloseable {

    static final List<String> NAMES = List.of(
            "gmail",
            "github",
            "gitlab",
            "stripe",
            "slack",
            "alertmanager",
            "grafana",
            "sentry",
            "pagerduty",
            "jira",
            "linear",
            "cloudevents",
            "eventgrid",
            "sns");

    /** The time at which the fixtures' requests were signed. */
    static final InstantSource TIME = InstantSource.fixed(Instant.ofEpochSecond(1_760_000_000));

    private static final String SECRETS =
            """
              signingSecrets:
                github: It's a Secret to Everybody
                grafana: It's a Secret to Everybody
                sentry: It's a Secret to Everybody
                pagerduty: It's a Secret to Everybody
                jira: It's a Secret to Everybody
                linear: It's a Secret to Everybody
                gitlab: [gitlab-secret-token, whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSwMfKQ9r8GKYo=]
                slack: 8f742231b10e8888abcd99yyyzzz85a5
                stripe: whsec_test_secret
              sns:
                topics: ["arn:aws:sns:eu-west-1:123456789012:alarms", "arn:aws:sns:eu-west-1:123456789012:budget.fifo"]
            """;

    private static final Path CERTIFICATES = Path.of("src/test/resources/providers/sns");

    private final Settings settings;
    private final ScriptRegistry scriptRegistry;
    private final RequestPreview preview;

    private PresetFixture(Settings settings, ScriptRegistry scriptRegistry, RequestPreview preview) {
        this.settings = settings;
        this.scriptRegistry = scriptRegistry;
        this.preview = preview;
    }

    static PresetFixture at(Path home) throws IOException {
        return at(home, "", (channel, to) -> null);
    }

    /**
     * The same with further settings.
     *
     * @param more lines of the section {@code hooks}, and further sections
     */
    static PresetFixture at(Path home, String more, RecipientFormats formats) throws IOException {
        Files.writeString(
                home.resolve("postern.yaml"),
                "hooks:\n  enabled: true\n  token: a-token-that-is-long-enough-01\n  presets: ["
                        + String.join(", ", NAMES) + "]\n" + SECRETS + more);
        ProcessEnvironment environment = new ProcessEnvironment(
                name -> Optional.empty(),
                name -> Optional.empty(),
                Map.of("postern.home", home.toString()),
                Map.of(),
                home.toString(),
                () -> ZoneOffset.UTC);
        ConfigurationResult configuration = new ConfigurationLoader(environment).load(ConfigurationLoader.Mode.CHECK);
        if (!(configuration instanceof Configured configured)) {
            throw new AssertionError(configuration);
        }
        Settings settings = configured.settings();
        ScriptRegistry scriptRegistry = new ScriptRegistry(settings.hooks().transformsRoot(), "postern-test", TIME);
        Compilation compilation = HookRegistry.compile(
                settings.hooks().mappings(), settings.hooks().withheldHeaders(), scriptRegistry);
        if (!compilation.problems().isEmpty() || !compilation.warnings().isEmpty()) {
            throw new AssertionError(compilation.problems() + " " + compilation.warnings());
        }
        return new PresetFixture(
                settings,
                scriptRegistry,
                new RequestPreview(
                        compilation.mappings(),
                        new Policy(settings, new IdGenerator(TIME), formats),
                        id -> DeliveryLookup.Presence.PRESENT,
                        TIME));
    }

    /** Whether {@code request} is signed rightly; empty if it has no signature, or its sender can't sign. */
    Optional<Boolean> isSigned(HttpRequestFile request) {
        return signature(request).map(result -> result.content().isPresent());
    }

    private Optional<SignatureResult> signature(HttpRequestFile request) {
        HeaderLookup headerLookup = name -> Collections.enumeration(
                Optional.ofNullable(request.header(name)).map(List::of).orElse(List.of()));
        return mappings().stream()
                .filter(mapping -> request.hook().equals(mapping.match().path()) && mapping.verify() != null)
                .findFirst()
                .map(mapping -> verifier(mapping.verify(), request))
                .filter(signature -> signature.isPresent(headerLookup))
                .map(signature -> signature.verify(headerLookup, request.body()));
    }

    private static SignatureVerifier verifier(Verify verify, HttpRequestFile request) {
        return verify.scheme() == Scheme.SNS
                ? SignatureVerifier.ofSns(verify, TIME, SignedPayload::texts, PresetFixture::fetched)
                : SignatureVerifier.of(verify, whenSent(verify, request), SignedPayload::time);
    }

    /** The certificate in the folder of the requests; an empty document for the confirmation of a subscription. */
    private static Optional<Fetched> fetched(URI address) {
        try {
            byte[] body = address.getPath().endsWith(".pem")
                    ? Files.readAllBytes(CERTIFICATES.resolve(address.getPath().substring(1)))
                    : new byte[0];
            return Optional.of(new Fetched(200, body));
        } catch (IOException missing) {
            throw new UncheckedIOException(missing);
        }
    }

    /** The time in the sender's signature, or in the body if the mapping says that the body holds it. */
    private static InstantSource whenSent(Verify verify, HttpRequestFile request) {
        return Optional.ofNullable(verify.timestampField())
                .map(field -> SignedPayload.time(request.body(), field).orElseThrow())
                .map(InstantSource::fixed)
                .orElse(TIME);
    }

    List<MappingSettings> mappings() {
        return settings.hooks().mappings();
    }

    ObjectNode explain(HttpRequestFile request) {
        @Nullable
        SignedContent signed =
                signature(request).flatMap(SignatureResult::content).orElse(null);
        return ExplanationJson.of(preview.explain(new HookRequest(
                request.hook(), request.body(), request.headers(), Map.of(), signed, false, null, TIME.instant())));
    }

    @Override
    public void close() {
        scriptRegistry.close();
    }
}
