package dev.postern.mail;

import jakarta.mail.Session;
import jakarta.mail.URLName;
import java.io.IOException;
import org.eclipse.angus.mail.gimap.GmailStore;
import org.eclipse.angus.mail.gimap.protocol.GmailProtocol;
import org.eclipse.angus.mail.iap.ProtocolException;
import org.eclipse.angus.mail.imap.protocol.IMAPProtocol;

/**
 * An IMAP store for any server that understands Gmail's extensions where the server has them. Angus' own store for Gmail
 * would use TLS from the first byte everywhere.
 */
final class ImapStore extends GmailStore {

    /** Prefix of the store's properties after {@code mail.} */
    static final String NAME = "gimap";

    private final boolean tls;

    /**
     * @param tls whether TLS is used from the first byte on
     */
    ImapStore(Session session, boolean tls) {
        super(session, new URLName(NAME, null, -1, null, null, null));
        this.tls = tls;
    }

    @Override
    protected IMAPProtocol newIMAPProtocol(String host, int port) throws IOException, ProtocolException {
        return new GmailProtocol(name, host, port, session.getProperties(), tls, logger);
    }
}
