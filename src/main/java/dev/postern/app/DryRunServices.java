package dev.postern.app;

import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.postern.acceptance.DeliveryLookup;
import dev.postern.config.HookSettings;
import dev.postern.config.MailboxSettings;
import dev.postern.config.Settings;
import dev.postern.ingress.ExplanationJson;
import dev.postern.ingress.RequestPreview;
import dev.postern.mapping.script.ScriptRegistry;
import dev.postern.model.HookRequest;
import dev.postern.model.IdGenerator;
import dev.postern.model.RequestOrigin;
import dev.postern.model.SignedContent;
import dev.postern.policy.Policy;
import dev.postern.store.ReadOnlyStore;
import dev.postern.store.StoreException;
import java.time.Instant;
import java.time.InstantSource;
import java.util.HashMap;
import java.util.Locale;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** The services that map a payload and apply policy, for commands and trials that perform no action. */
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
     * Compiles the mappings of {@code settings}. Only a marked event needs the database, and is explained without it too.
     *
     * @param command the name of the command, for the names of threads
     * @throws StartException if a mapping can't be compiled
     */
    static DryRunServices of(Settings settings, String command) throws StartException {
        return of(settings, new HomeDeliveryLookup(settings), command);
    }

    /**
     * Compiles the mappings of {@code settings}.
     *
     * @param deliveryLookup tells this Postern's marks from those of another
     * @param command the name of the command, for the names of threads
     * @throws StartException if a mapping can't be compiled
     */
    static DryRunServices of(Settings settings, DeliveryLookup deliveryLookup, String command) throws StartException {
        InstantSource time = InstantSource.system();
        ScriptRegistry scriptRegistry =
                ScriptRegistry.forTrials(settings.hooks().transformsRoot(), "postern-" + command, time);
        boolean compiled = false;
        try {
            Policy policy = new Policy(settings, new IdGenerator(time), ConfiguredRecipientForms.of(settings));
            RequestPreview preview = new RequestPreview(
                    CompiledMappingFactory.compile(settings.hooks(), scriptRegistry), policy, deliveryLookup, time);
            compiled = true;
            return new DryRunServices(scriptRegistry, preview, settings.hooks());
        } finally {
            if (!compiled) {
                scriptRegistry.close();
            }
        }
    }

    /** The preview, which explains what a request would do. */
    RequestPreview preview() {
        return preview;
    }

    /**
     * The hook request with {@code payload}, as ingress would get it. If the hook has a signature scheme, the request counts
     * as signed and as sent without the token.
     *
     * @param hook the path below the hook prefix
     * @param headers the values by name, in any case; headers with credentials are left out, as of a real request
     * @param query the query parameters by name
     * @param sender the id of the sender whose own token the request has; null for any other credential
     */
    HookRequest request(
            String hook,
            byte[] payload,
            Map<String, String> headers,
            Map<String, String> query,
            @Nullable String sender) {
        Map<String, String> shown = new HashMap<>();
        headers.forEach((name, value) -> shown.put(name.toLowerCase(Locale.ROOT), value));
        shown.keySet().removeIf(hooks.withheldHeaders()::contains);
        boolean isSigned = sender == null && hooks.isSigned(hook);
        HookRequest request = new HookRequest(
                hook,
                payload,
                shown,
                query,
                isSigned ? SignedContent.of(payload) : null,
                isSigned,
                null,
                Instant.now());
        return sender == null
                ? request
                : request.from(new RequestOrigin("", "", "token", System.nanoTime(), sender, null));
    }

    /**
     * The explanation of a mail, in the form of {@link ExplanationJson}.
     *
     * @param payload the mail as its hook takes it
     * @param key the idempotency key; null to leave it to the mapping
     */
    ObjectNode mail(byte[] payload, @Nullable String key) {
        return ExplanationJson.of(preview.explain(HookRequest.bare(MailboxSettings.HOOK, payload, key, Instant.now())));
    }

    @Override
    public void close() {
        scriptRegistry.close();
    }

    /**
     * A lookup for commands in the database of a configuration, which may be that of a running Postern. It opens the database only
     * when it is asked, and reads each delivery once. For one thread at a time.
     */
    private static final class HomeDeliveryLookup implements DeliveryLookup {

        private final Settings settings;
        private final Map<String, Presence> found = new HashMap<>();

        HomeDeliveryLookup(Settings settings) {
            this.settings = settings;
        }

        @Override
        public Presence presence(String id) {
            return found.computeIfAbsent(id, this::read);
        }

        private Presence read(String id) {
            Settings.Database database = settings.database();
            try (ReadOnlyStore store =
                    ReadOnlyStore.open(database.url(), database.username(), database.password(), settings.home())) {
                return DeliveryLookup.in(store).presence(id);
            } catch (StoreException e) {
                return Presence.UNKNOWN;
            }
        }
    }
}
