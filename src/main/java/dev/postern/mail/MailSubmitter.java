package dev.postern.mail;

import dev.postern.acceptance.CursorUpdate;
import dev.postern.acceptance.SourceCursors;
import dev.postern.acceptance.SourceCursors.Move;
import dev.postern.acceptance.SourceCursors.Reader;
import dev.postern.config.MailboxSettings;
import dev.postern.ingress.Ingress;
import dev.postern.model.HookRequest;
import dev.postern.model.HookResult;
import java.time.InstantSource;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/** The way from a mailbox to the gate, and its bookmark. */
final class MailSubmitter {

    private final Ingress ingress;
    private final SourceCursors sourceCursors;
    private final String source;
    private final String node;
    private final InstantSource clock;

    /**
     * @param server holds the mailbox
     * @param node who reads it, in the database's words
     */
    MailSubmitter(
            Ingress ingress,
            SourceCursors sourceCursors,
            MailboxSettings watch,
            ImapServerSettings server,
            String node,
            InstantSource clock) {
        this.ingress = ingress;
        this.sourceCursors = sourceCursors;
        this.source = "mail " + watch.account().toLowerCase(Locale.ROOT) + " "
                + server.host().toLowerCase(Locale.ROOT) + " " + watch.label();
        this.node = node;
        this.clock = clock;
    }

    /** Makes this node the mailbox's reader unless another one is. */
    Reader take() {
        return sourceCursors.take(source, node);
    }

    /** Moves the bookmark; false where it was not to be moved, or nobody knows. */
    boolean move(@Nullable String from, FolderCursor to) {
        return sourceCursors.move(advance(from, to)) == Move.MOVED;
    }

    /**
     * Has a mail's payload mapped, judged and accepted, and the bookmark moved with it.
     *
     * @param key the mail's idempotency key
     */
    HookResult submit(byte[] payload, String key, @Nullable String from, FolderCursor to) {
        return ingress.submit(HookRequest.bare(MailboxSettings.HOOK, payload, key, clock.instant()), advance(from, to));
    }

    private CursorUpdate advance(@Nullable String from, FolderCursor to) {
        return new CursorUpdate(source, node, from, to.text());
    }
}
