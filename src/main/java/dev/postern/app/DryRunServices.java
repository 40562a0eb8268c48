package dev.postern.app;

import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.postern.config.HookSettings;
import dev.postern.config.MailboxSettings;
import dev.postern.config.Settings;
import dev.postern.ingress.ExplanationJson;
import dev.postern.ingress.RequestPreview;
import dev.postern.mapping.script.ScriptRegistry;
import dev.postern.model.HookRequest;
import dev.postern.model.IdGenerator;
import dev.postern.model.SignedContent;
import dev.postern.policy.Policy;
import java.time.Instant;
import java.time.InstantSource;
import java.util.HashMap;
import java.util.Locale;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** The way of a payload up to the database, made for a command that does nothing of what a payload asks for. */
final class DryRunServices implements AutoCloseable {

    private final ScriptRegistry scriptRegistry;
    private final RequestPreview preview;
    private final HookSettings hooks;

    private DryRunServices(ScriptRegistry scriptRegistry, RequestPreview preview, HookSettings hooks) {
        this.scriptRegistry = scriptRegistry;
        this.preview = preview;
        this.hooks = hooks;
    }

    /**
     * @param command whose it is, for the names of threads
     * @throws StartException when a mapping can't be compiled
     */
    static DryRunServices of(Settings settings, String command) throws StartException {
        InstantSource time = InstantSource.system();
        ScriptRegistry scriptRegistry =
                new ScriptRegistry(settings.hooks().transformsRoot(), "postern-" + command, time);
        boolean compiled = false;
        try {
            Policy policy = new Policy(settings, new IdGenerator(time), ConfiguredRecipientForms.of(settings));
            RequestPreview preview =
                    new RequestPreview(MappedHookFactory.compile(settings.hooks(), scriptRegistry), policy, time);
            compiled = true;
            return new DryRunServices(scriptRegistry, preview, settings.hooks());
        } finally {
            if (!compiled) {
                scriptRegistry.close();
            }
        }
    }

    /** What says what would become of a payload. */
    RequestPreview preview() {
        return preview;
    }

    /**
     * A request as a door would hand it over. Where the hook's sender may sign, it counts as signed and as sent without the
     * token.
     *
     * @param hook the path below the hook prefix
     * @param headers names in any case; those that carry credentials are left out, as of a request
     */
    HookRequest request(String hook, byte[] payload, Map<String, String> headers, Map<String, String> query) {
        Map<String, String> shown = new HashMap<>();
        headers.forEach((name, value) -> shown.put(name.toLowerCase(Locale.ROOT), value));
        shown.keySet().removeAll(hooks.withheldHeaders());
        boolean isSigned = hooks.isSigned(hook);
        return new HookRequest(
                hook,
                payload,
                shown,
                query,
                isSigned ? SignedContent.of(payload) : null,
                isSigned,
                null,
                Instant.now());
    }

    /**
     * What would become of a mail, as {@link ExplanationJson} has it.
     *
     * @param payload the mail as its hook takes it
     * @param key what it is known again by; null to leave that to the mapping
     */
    ObjectNode mail(byte[] payload, @Nullable String key) {
        return ExplanationJson.of(preview.explain(HookRequest.bare(MailboxSettings.HOOK, payload, key, Instant.now())));
    }

    @Override
    public void close() {
        scriptRegistry.close();
    }
}
