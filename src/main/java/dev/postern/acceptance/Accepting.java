package dev.postern.acceptance;

import dev.postern.model.AllowedAction;
import dev.postern.model.HookResult;
import dev.postern.model.Receipt;
import dev.postern.model.SessionId;
import dev.postern.model.WakeMode;
import dev.postern.store.Bulk;
import dev.postern.store.Sql;
import java.sql.SQLException;
import java.util.Comparator;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * Writes what many callers offer in one go: bookmarks, then keys, then one row for each session, then events and runs, so
 * that the statements for a full batch are a handful. Keys are taken in their order, and so are sessions: nodes that accept for
 * the same ones wait for each other, and not in a circle. Where another kind of work holds a row against that order, the
 * database ends the wait, and the store tries each offer alone.
 */
final class Accepting implements Bulk<Offer, HookResult> {

    private static final Comparator<Offer> BY_KEY =
            Comparator.comparing(offer -> offer.requireKey().value());

    private final PendingCount pending;
    private final int maxPending;
    private final KeyTable keys;
    private final HookResult overloaded;
    private final Runnable accepted;

    /**
     * @param overloaded the answer past {@code maxPending}
     * @param accepted run after each commit that holds something new
     */
    Accepting(PendingCount pending, int maxPending, KeyTable keys, HookResult overloaded, Runnable accepted) {
        this.pending = pending;
        this.maxPending = maxPending;
        this.keys = keys;
        this.overloaded = overloaded;
        this.accepted = accepted;
    }

    @Override
    public List<HookResult> run(Sql sql, List<Offer> offers) throws SQLException {
        pending.refresh(sql);
        IdentityHashMap<Offer, HookResult> answers = new IdentityHashMap<>();
        Additions additions = new Additions();
        for (Offer offer : offers) {
            Advance advance = offer.submission().advance();
            if (advance != null) {
                answers.put(offer, readOn(sql, offer, advance, additions));
            }
        }
        List<Offer> sent = answers.isEmpty()
                ? offers
                : offers.stream().filter(offer -> !answers.containsKey(offer)).toList();
        List<Offer> keyed = sent.stream().filter(Offer::hasKey).sorted(BY_KEY).toList();
        boolean[] written = writeKeys(sql, sent, keyed);
        for (int i = 0; i < keyed.size(); i++) {
            Offer offer = keyed.get(i);
            answers.put(
                    offer, settle(sql, offer, written[i] ? null : keys.claim(sql, offer, refusalOf(offer)), additions));
        }
        for (Offer offer : sent) {
            if (!offer.hasKey()) {
                answers.put(offer, settle(sql, offer, refusalOf(offer), additions));
            }
        }
        if (additions.write(sql)) {
            sql.afterCommit(accepted);
        }
        return offers.stream().map(answers::get).map(Objects::requireNonNull).toList();
    }

    /** Nothing can keep an offer out any more once its bookmark has moved, or it would be lost. */
    private HookResult readOn(Sql sql, Offer offer, Advance advance, Additions additions) throws SQLException {
        HookResult refusal = refusalOf(offer);
        if (refusal != null) {
            return refusal;
        }
        if (!Bookmarks.advance(sql, advance, offer.acceptedAt())) {
            return new HookResult.Superseded();
        }
        return settle(sql, offer, offer.hasKey() ? keys.claim(sql, offer, null) : null, additions);
    }

    /** Writes all keys at once when every offer would find room, were it new; else they are looked at one by one. */
    private boolean[] writeKeys(Sql sql, List<Offer> offers, List<Offer> keyed) throws SQLException {
        int actions = offers.stream().mapToInt(Offer::size).sum();
        if (keyed.isEmpty() || pending.value() + actions > maxPending) {
            return new boolean[keyed.size()];
        }
        return keys.insert(sql, keyed);
    }

    private @Nullable HookResult refusalOf(Offer offer) {
        return pending.value() + offer.size() > maxPending ? overloaded : null;
    }

    private HookResult settle(Sql sql, Offer offer, @Nullable HookResult refusal, Additions additions) {
        if (refusal != null) {
            return refusal;
        }
        pending.change(sql, offer.size());
        additions.add(offer);
        return new HookResult.Accepted(offer.receipts(), false);
    }

    /** The rows of the offers that are accepted. */
    private static final class Additions {

        private final SessionChanges sessions = new SessionChanges();
        private final EventRows events = new EventRows();
        private final RunRows runs = new RunRows();
        private boolean any;

        void add(Offer offer) {
            any = true;
            for (int i = 0; i < offer.size(); i++) {
                AllowedAction action = offer.submission().actions().get(i);
                if (action instanceof AllowedAction.Wake wake) {
                    addWake(offer, (Receipt.Event) offer.receipts().get(i), wake);
                } else if (action instanceof AllowedAction.Turn turn) {
                    addRun(offer, (Receipt.Run) offer.receipts().get(i), turn);
                }
            }
        }

        private void addWake(Offer offer, Receipt.Event receipt, AllowedAction.Wake wake) {
            long at = offer.acceptedAt();
            String key = SessionId.mainOf(wake.agentId()).value();
            Long beatAt = wake.mode() == WakeMode.NOW ? at + Events.SOON.toMillis() : null;
            events.add(new EventRows.NewEvent(
                    receipt.id(),
                    key,
                    sessions.addEvent(key, wake.agentId(), at, beatAt),
                    EventRows.WAKE,
                    wake.text(),
                    wake.provenance(),
                    null,
                    at));
        }

        private void addRun(Offer offer, Receipt.Run receipt, AllowedAction.Turn turn) {
            long at = offer.acceptedAt();
            String key = SessionId.of(turn.agentId(), receipt.sessionKey()).value();
            runs.add(new RunRows.NewRun(
                    receipt.id(), key, sessions.addRun(key, turn.agentId(), at), turn, offer.submission(), at));
        }

        boolean write(Sql sql) throws SQLException {
            if (any) {
                sessions.write(sql);
                events.write(sql);
                runs.write(sql);
            }
            return any;
        }
    }
}
