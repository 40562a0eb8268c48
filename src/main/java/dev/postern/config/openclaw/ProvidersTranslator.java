package dev.postern.config.openclaw;

import dev.postern.config.ConfigurationNode;
import dev.postern.config.ConfigurationNode.Fields;
import dev.postern.config.ConfigurationNode.Items;
import dev.postern.config.ConfigurationNode.Scalar;
import dev.postern.config.ValueOrigin;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * A translator of {@code models.providers}. OpenClaw knows many providers without an entry there, and has their keys elsewhere.
 * Those of them that a model needs become providers here if this process has their key.
 */
final class ProvidersTranslator {

    private static final Pattern ID = Pattern.compile("[A-Za-z0-9][A-Za-z0-9._-]{0,63}");
    private static final Pattern VARIABLE = Pattern.compile("[A-Z][A-Z0-9_]*_API_KEY");
    private static final String OLLAMA_VARIABLE = "OLLAMA_API_KEY";
    private static final String KEY = "apiKey";
    private static final String OPENAI = "openai";
    private static final String ANTHROPIC = "anthropic";

    /** Postern's kinds by OpenClaw's names of the protocols. */
    private static final Map<String, String> KINDS = Map.of(
            "openai-completions", OPENAI,
            "openai-responses", OPENAI,
            "anthropic-messages", ANTHROPIC,
            "google-generative-ai", "gemini",
            "ollama", "ollama");

    /**
     * A provider that OpenClaw knows without an entry.
     *
     * @param kind its kind in Postern
     * @param baseUrl its address; null if it is the kind's own
     * @param variable the environment variable with its key
     */
    private record Known(String kind, @Nullable String baseUrl, String variable) {}

    /** OpenClaw's documentation, "Model providers". */
    private static final Map<String, Known> KNOWN = Map.of(
            ANTHROPIC,
            new Known(ANTHROPIC, null, "ANTHROPIC_API_KEY"),
            OPENAI,
            new Known(OPENAI, null, "OPENAI_API_KEY"),
            "google",
            new Known("gemini", null, "GEMINI_API_KEY"),
            "openrouter",
            new Known(OPENAI, "https://openrouter.ai/api/v1", "OPENROUTER_API_KEY"),
            "groq",
            new Known(OPENAI, "https://api.groq.com/openai/v1", "GROQ_API_KEY"),
            "mistral",
            new Known(OPENAI, "https://api.mistral.ai/v1", "MISTRAL_API_KEY"),
            "xai",
            new Known(OPENAI, "https://api.x.ai/v1", "XAI_API_KEY"),
            "deepseek",
            new Known(OPENAI, "https://api.deepseek.com", "DEEPSEEK_API_KEY"));

    private static final Map<String, String> REASONS = Map.of(
            "headers", "Postern sends no headers of your own to a provider",
            "authHeader", "Postern sends the key as the kind of the provider wants it",
            "timeoutSeconds", "agents.defaults.timeoutSeconds limits a turn",
            "request", "Postern has no proxy and no certificates of its own for a provider",
            "auth", "Postern logs in with an apiKey");

    private final ImportContext context;
    private final Map<String, Fields> providers = new LinkedHashMap<>();

    ProvidersTranslator(ImportContext context) {
        this.context = context;
    }

    /** Translates the section {@code models}. */
    void read(OpenClawSection models) {
        models.section("providers").ifPresent(section -> section.entries().forEach((id, entry) -> provider(id, entry)));
        models.skipRest(Map.of(), "Postern takes any model id of a provider, and lists none");
    }

    private void provider(String id, OpenClawSection entry) {
        @Nullable Known known = KNOWN.get(id);
        Optional<Scalar> api = entry.text("api");
        Optional<Scalar> baseUrl = entry.text("baseUrl");
        String protocol = api.map(Scalar::text).orElse(known == null ? "openai-completions" : "");
        @Nullable String kind = protocol.isEmpty() && known != null ? known.kind() : KINDS.get(protocol);
        if (kind == null || !ID.matcher(id).matches()) {
            context.notes()
                    .notTaken(
                            entry.origin(),
                            entry.path(),
                            kind == null ? "Postern does not speak " + protocol : "an id has A-Z a-z 0-9 . _ - only",
                            "write a provider of one of Postern's kinds");
            return;
        }
        if (protocol.equals("openai-responses")) {
            context.notes().differs(entry.origin("api"), entry.path("api"), "Postern asks for chat completions");
        }
        SettingsBuilder settings = new SettingsBuilder(entry.origin());
        settings.put("kind", SettingsBuilder.text(kind, entry.origin()));
        settings.put("baseUrl", baseUrl.map(url -> address(kind, url)));
        settings.put(
                KEY,
                key(id, entry)
                        .or(() -> known == null
                                ? Optional.empty()
                                : context.secrets()
                                        .ofKnownVariable(known.variable())
                                        .map(reference -> SettingsBuilder.text(reference, entry.origin()))));
        settings.put("maxTokens", entry.number("maxTokens"));
        entry.items("models").ifPresent(models -> settings.putSection("prices", prices(models)));
        entry.skipRest(REASONS, "Postern's providers have no such setting");
        providers.put(id, settings.build());
    }

    /** The key of a provider. The name of a variable that OpenClaw knows stands for that variable. */
    private Optional<Scalar> key(String id, OpenClawSection entry) {
        @Nullable ConfigurationNode node = entry.node(KEY);
        if (node instanceof Scalar scalar) {
            String text = scalar.text().strip();
            if (text.equals(OLLAMA_VARIABLE)
                    || KNOWN.values().stream()
                            .anyMatch(known -> known.variable().equals(text))) {
                return Optional.of(SettingsBuilder.text(context.secrets().ofVariable(text), scalar.origin()));
            }
            if (VARIABLE.matcher(text).matches()) {
                context.notes()
                        .differs(
                                scalar.origin(),
                                entry.path(KEY),
                                "it is taken for the key itself; write ${env:NAME} if it names a variable");
            }
        }
        return context.secrets().translate(entry.path(KEY), id + "-apiKey", node);
    }

    /** The address with the version that Postern's kinds have in it and OpenClaw's have not, or the other way round. */
    private static Scalar address(String kind, Scalar url) {
        String address = url.text().strip().replaceFirst("/+$", "");
        if (kind.equals(ANTHROPIC) && !address.endsWith("/v1")) {
            address += "/v1";
        } else if (kind.equals("ollama")) {
            address = address.replaceFirst("/v1$", "");
        }
        return SettingsBuilder.text(address, url.origin());
    }

    private static Fields prices(Items models) {
        SettingsBuilder prices = new SettingsBuilder(models.origin());
        for (ConfigurationNode node : models.nodes()) {
            if (node instanceof Fields model
                    && model.value("id") instanceof Scalar id
                    && model.value("cost") instanceof Fields cost
                    && cost.value("input") instanceof Scalar input
                    && cost.value("output") instanceof Scalar output
                    && !(isZero(input) && isZero(output))) {
                prices.put(
                        id.text(),
                        new SettingsBuilder(cost.origin())
                                .put("input", input)
                                .put("output", output)
                                .build());
            }
        }
        return prices.build();
    }

    private static boolean isZero(Scalar price) {
        return price.text().matches("[0.]+");
    }

    /**
     * Whether {@code model} has a provider. One that OpenClaw knows is added, if its key can be told.
     *
     * @param setting the full name of the setting that names the model, for the note that it has none
     */
    boolean serves(String model, ValueOrigin origin, String setting) {
        String id = model.contains("/") ? model.substring(0, model.indexOf('/')) : "";
        if (providers.containsKey(id)) {
            return true;
        }
        @Nullable Known known = KNOWN.get(id);
        Optional<String> key =
                known == null ? Optional.empty() : context.secrets().ofKnownVariable(known.variable());
        if (known == null || key.isEmpty()) {
            context.notes()
                    .notTaken(
                            origin,
                            setting,
                            "the provider of [" + model + "] is not in this file",
                            known == null
                                    ? "write it below providers, and the model again"
                                    : "set " + known.variable() + " and import again, or write providers." + id);
            return false;
        }
        SettingsBuilder settings = new SettingsBuilder(origin);
        settings.put("kind", SettingsBuilder.text(known.kind(), origin));
        settings.put("baseUrl", Optional.ofNullable(known.baseUrl()).map(url -> SettingsBuilder.text(url, origin)));
        settings.put(KEY, SettingsBuilder.text(key.get(), origin));
        providers.put(id, settings.build());
        return true;
    }

    /** All providers, by id. */
    Fields translated(ValueOrigin origin) {
        SettingsBuilder section = new SettingsBuilder(origin);
        providers.forEach(section::putSection);
        return section.build();
    }
}
