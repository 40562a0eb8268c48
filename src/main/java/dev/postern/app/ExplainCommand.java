package dev.postern.app;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.postern.config.ConfigurationLoader;
import dev.postern.config.ConfigurationResult;
import dev.postern.config.ConfigurationResult.Configured;
import dev.postern.config.ConfigurationResult.Rejected;
import dev.postern.config.HookSettings;
import dev.postern.config.ProcessEnvironment;
import dev.postern.config.Settings;
import dev.postern.ingress.Explanation;
import dev.postern.ingress.ExplanationJson;
import dev.postern.ingress.RequestPreview;
import dev.postern.model.HookRequest;
import java.io.PrintStream;
import java.time.Duration;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** The command {@code explain}, which shows the actions that a hook would make of a payload, and performs none. */
public final class ExplainCommand {

    private static final int WARM_UPS = 200;
    private static final Duration LONGEST_WARM_UP = Duration.ofMillis(500);

    private ExplainCommand() {}

    /**
     * Explains {@code payload} by this process's configuration. The database is only read for an event with the mark of a
     * delivery, and a server may run at the same time. If the hook has a signature scheme, the request counts as signed and as
     * sent without the token.
     *
     * @param out gets one JSON object
     * @param err gets the problems of the configuration
     * @param hook the path below the hook prefix, or the whole path with the prefix and its leading slash
     * @param headers the values by name, in any case; headers with credentials are left out, as of a real request
     * @param query the query parameters by name
     * @param sender the id of the sender whose own token the request has; null for any other credential
     * @return 0 if the payload would be accepted, else 1
     */
    public static int run(
            PrintStream out,
            PrintStream err,
            String hook,
            byte[] payload,
            Map<String, String> headers,
            Map<String, String> query,
            @Nullable String sender) {
        ConfigurationResult configuration = new ConfigurationLoader(ProcessEnvironment.ofProcess(name -> null))
                .load(ConfigurationLoader.Mode.CHECK);
        if (configuration instanceof Rejected rejected) {
            CompiledMappingFactory.problems(rejected).forEach(problem -> err.println("problem: " + problem));
            return 1;
        }
        Settings settings = ((Configured) configuration).settings();
        String path = settings.hooks().below(hook);
        HookSettings.Bodies bodies = settings.hooks().bodies();
        int maxBytes = bodies.maxBytes(path);
        if (payload.length > maxBytes) {
            err.println("problem: the payload has " + payload.length + " bytes, more than hooks."
                    + (maxBytes == bodies.maxBytes() ? "maxBodyBytes" : "gmail.maxBytes") + " takes ("
                    + maxBytes + "); it would be answered 413");
            return 1;
        }
        if (!settings.hooks().enabled() && !settings.hooks().mappings().isEmpty()) {
            err.println("warning: hooks.enabled is false, so that every hook is answered 404");
        }
        if (sender != null && !settings.senders().containsKey(sender)) {
            err.println("problem: there is no sender " + sender);
            return 1;
        }
        try (DryRunServices dryRun = DryRunServices.of(settings, "explain")) {
            HookRequest request = dryRun.request(path, payload, headers, query, sender);
            ObjectNode json = ExplanationJson.of(warm(dryRun.preview(), request));
            if (json.path("status").asInt() == 404 && HookSettings.isPreset(path)) {
                json.put("hint", path + " is a preset: add hooks.presets: [" + path + "]");
            }
            if (json.path("status").asInt() == 415 && settings.hooks().takesForms(path)) {
                json.put("hint", "for a form, add --header Content-Type=application/x-www-form-urlencoded");
            }
            out.println(PrintedJson.writer().writeValueAsString(json));
            return json.path("status").asInt() < 400 ? 0 : 1;
        } catch (StartException e) {
            e.report().problems().forEach(problem -> err.println("problem: " + problem));
            return 1;
        } catch (JsonProcessingException e) {
            throw new IllegalStateException("a tree of JSON can always be written", e);
        }
    }

    /** The fastest of several explanations, so that its time is not that of loading classes. */
    private static Explanation warm(RequestPreview preview, HookRequest request) {
        long start = System.nanoTime();
        Explanation explanation = preview.explain(request);
        for (int i = 0; i < WARM_UPS && System.nanoTime() - start < LONGEST_WARM_UP.toNanos(); i++) {
            Explanation next = preview.explain(request);
            explanation = next.took().compareTo(explanation.took()) < 0 ? next : explanation;
        }
        return explanation;
    }
}
