package dev.postern.mail;

import dev.postern.acceptance.Advance;
import dev.postern.acceptance.Bookmarks;
import dev.postern.acceptance.Bookmarks.Move;
import dev.postern.acceptance.Bookmarks.Reader;
import dev.postern.config.MailWatch;
import dev.postern.ingress.Inbound;
import dev.postern.ingress.Ingress;
import dev.postern.ingress.Outcome;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** The way from a mailbox to the gate, and its bookmark. */
final class Mailroom {

    private final Ingress ingress;
    private final Bookmarks bookmarks;
    private final String source;
    private final String node;

    /**
     * @param server holds the mailbox
     * @param node who reads it, in the database's words
     */
    Mailroom(Ingress ingress, Bookmarks bookmarks, MailWatch watch, Server server, String node) {
        this.ingress = ingress;
        this.bookmarks = bookmarks;
        this.source = "mail " + watch.account().toLowerCase(Locale.ROOT) + " "
                + server.host().toLowerCase(Locale.ROOT) + " " + watch.label();
        this.node = node;
    }

    /** Makes this node the mailbox's reader unless another one is. */
    Reader take() {
        return bookmarks.take(source, node);
    }

    /** Moves the bookmark; false where it was not to be moved, or nobody knows. */
    boolean move(@Nullable String from, Place to) {
        return bookmarks.move(advance(from, to)) == Move.MOVED;
    }

    /**
     * Has a mail's payload mapped, judged and accepted, and the bookmark moved with it.
     *
     * @param key the mail's idempotency key
     * @return empty where the bookmark was not to be moved, and nothing happened
     */
    Optional<Outcome> submit(byte[] payload, String key, @Nullable String from, Place to) {
        Inbound inbound = new Inbound(MailWatch.HOOK, payload, Map.of(), Map.of(), null, key);
        return ingress.submit(inbound, advance(from, to));
    }

    private Advance advance(@Nullable String from, Place to) {
        return new Advance(source, node, from, to.text());
    }
}
