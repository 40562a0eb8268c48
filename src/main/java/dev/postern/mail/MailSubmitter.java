package dev.postern.mail;

import dev.postern.acceptance.CursorUpdate;
import dev.postern.acceptance.SourceCursors;
import dev.postern.acceptance.SourceCursors.Move;
import dev.postern.acceptance.SourceCursors.Reader;
import dev.postern.config.MailboxSettings;
import dev.postern.ingress.Ingress;
import dev.postern.model.HookRequest;
import dev.postern.model.HookResult;
import dev.postern.model.IdGenerator;
import dev.postern.model.RequestOrigin;
import java.time.InstantSource;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/** A submitter that hands a mailbox's payloads to ingress and moves the mailbox's stored cursor. */
final class MailSubmitter {

    /** The credential of mails in the request log. */
    private static final String CREDENTIAL = "mail";

    private final Ingress ingress;
    private final SourceCursors sourceCursors;
    private final IdGenerator idGenerator;
    private final String account;
    private final String source;
    private final String node;
    private final InstantSource clock;

    /**
     * @param server the mailbox's server
     * @param node name in the database of the cluster node that reads the mailbox
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
        this.idGenerator = new IdGenerator(clock);
        this.account = watch.account();
    }

    /** Makes this node the mailbox's reader unless another node is. */
    Reader claimReader() {
        return sourceCursors.take(source, node);
    }

    /** Lets another node become the mailbox's reader. */
    void releaseReader() {
        sourceCursors.release(source, node);
    }

    /**
     * Moves the stored cursor; false if another node reads the mailbox, or this one at another place.
     *
     * @throws MailException if the database did not confirm that
     */
    boolean move(@Nullable String from, FolderCursor to) throws MailException {
        Move move = sourceCursors.move(advance(from, to));
        if (move == Move.UNKNOWN) {
            throw new MailException(MailException.Kind.DATABASE, "the database did not store which mails were read");
        }
        return move == Move.MOVED;
    }

    /**
     * Submits a mail's payload to be mapped, checked and accepted, and moves the stored cursor in the same transaction.
     *
     * @param key the mail's idempotency key
     */
    HookResult submit(byte[] payload, String key, @Nullable String from, FolderCursor to) {
        RequestOrigin origin = new RequestOrigin(idGenerator.request(), account, CREDENTIAL, System.nanoTime());
        HookRequest request = HookRequest.bare(MailboxSettings.HOOK, payload, key, clock.instant())
                .from(origin);
        return ingress.submit(request, advance(from, to));
    }

    private CursorUpdate advance(@Nullable String from, FolderCursor to) {
        return new CursorUpdate(source, node, from, to.text());
    }
}
