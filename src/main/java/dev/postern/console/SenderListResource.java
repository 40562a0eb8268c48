package dev.postern.console;

import dev.postern.access.SenderGuard;
import dev.postern.config.SenderSettings;
import dev.postern.requests.SenderRequestQueries;
import dev.postern.requests.SenderRequestQueries.SenderTally;
import dev.postern.store.StoreException;
import jakarta.ws.rs.GET;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** A resource that lists the senders with tokens of their own: what they may do, and what they sent in the last day. */
@RequiresUser
public final class SenderListResource {

    private static final Duration DAY = Duration.ofDays(1);

    private final Collection<SenderSettings> senders;
    private final SenderGuard senderGuard;
    private final SenderRequestQueries queries;
    private final InstantSource clock;

    SenderListResource(
            Collection<SenderSettings> senders,
            SenderGuard senderGuard,
            SenderRequestQueries queries,
            InstantSource clock) {
        this.senders = senders;
        this.senderGuard = senderGuard;
        this.queries = queries;
        this.clock = clock;
    }

    /**
     * The senders.
     *
     * @param latest the number of requests of each sender that are counted at most
     */
    record Senders(int latest, List<Sender> senders) {}

    /**
     * A sender with its requests of the last day, as far as the request log holds them.
     *
     * @param state whether its tokens count, in a word: active, disabled, or that they have expired
     * @param tokens the number of its tokens
     * @param hooks the hooks that it may call
     * @param agents the agents that it may reach; null where they are not narrowed, and so on
     * @param rate its rate as the configuration spells it; null for none
     * @param left how many requests it may send to this cluster node now; null without a rate
     * @param requests the number of its requests
     * @param notAllowed the number of those for something outside its scope
     * @param rateLimited the number of those past its rate
     * @param last the time of its latest request; null without one
     */
    record Sender(
            String id,
            String state,
            int tokens,
            List<String> hooks,
            @Nullable List<String> agents,
            @Nullable List<String> sessionKeyPrefixes,
            @Nullable List<String> models,
            @Nullable List<String> channels,
            @Nullable String rate,
            @Nullable Long left,
            @Nullable Integer maxPending,
            @Nullable Instant expires,
            long requests,
            long notAllowed,
            long rateLimited,
            @Nullable Instant last) {}

    /** The senders in the order of the configuration. */
    @GET
    @PageTemplate("senders")
    public Senders all() throws StoreException {
        Instant now = clock.instant();
        List<Sender> all = new ArrayList<>();
        for (SenderSettings sender : senders) {
            SenderTally tally = queries.tally(sender.id(), now.minus(DAY));
            all.add(sender(sender, tally, now));
        }
        return new Senders(SenderRequestQueries.WINDOW, all);
    }

    private Sender sender(SenderSettings sender, SenderTally tally, Instant now) {
        String inactive = sender.disabled() ? "disabled" : "expired";
        SenderSettings.Scope scope = sender.scope();
        return new Sender(
                sender.id(),
                /* state= */ sender.isActive(now) ? "active" : inactive,
                /* tokens= */ sender.tokenHashes().size(),
                sender.hooks(),
                /* agents= */ scope.agents().orElse(null),
                /* sessionKeyPrefixes= */ scope.sessionKeyPrefixes().orElse(null),
                /* models= */ scope.models().orElse(null),
                /* channels= */ scope.channels().orElse(null),
                /* rate= */ sender.rate() == null ? null : sender.rate().toString(),
                senderGuard.counts(sender.id()).left(),
                sender.maxPending(),
                sender.expires(),
                tally.requests(),
                tally.notAllowed(),
                tally.rateLimited(),
                tally.last());
    }
}
