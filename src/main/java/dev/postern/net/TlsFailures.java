package dev.postern.net;

import java.io.IOException;
import java.security.GeneralSecurityException;
import java.util.List;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import javax.net.ssl.SSLException;
import javax.net.ssl.SSLHandshakeException;
import javax.net.ssl.SSLPeerUnverifiedException;

/** The rule for the failures of TLS connections: whether another attempt may succeed. */
public final class TlsFailures {

    /**
     * Java's words for a peer that closes the connection, such as "Remote host terminated the handshake". Nothing else
     * distinguishes it from a peer that refuses the handshake.
     */
    private static final Pattern CLOSED = Pattern.compile("clos|terminated|shut down", Pattern.CASE_INSENSITIVE);

    /** Java's words for a peer that answers a handshake with something else, such as HTTP. */
    private static final Pattern NO_TLS = Pattern.compile("unrecognized SSL message", Pattern.CASE_INSENSITIVE);

    private TlsFailures() {}

    /** Whether {@code fault} says that the handshake failed, so that nothing else was sent. */
    public static boolean isOfHandshake(Throwable fault) {
        return Stream.iterate(fault, next -> next != null, Throwable::getCause)
                .anyMatch(next -> next instanceof SSLHandshakeException
                        || (next instanceof SSLException
                                && NO_TLS.matcher(String.valueOf(next.getMessage()))
                                        .find()));
    }

    /**
     * Whether {@code fault} says that no secure connection to the peer is possible: its certificate is not accepted, it
     * refuses the handshake with an alert, or it does not speak TLS. A peer that closes or loses the connection may behave
     * differently next time.
     */
    public static boolean isPermanent(Throwable fault) {
        List<Throwable> chain = Stream.iterate(fault, next -> next != null, Throwable::getCause)
                .dropWhile(next -> !(next instanceof SSLException))
                .toList();
        return chain.stream().anyMatch(TlsFailures::isAboutCertificate)
                || (!chain.isEmpty() && chain.stream().noneMatch(TlsFailures::isLoss));
    }

    private static boolean isAboutCertificate(Throwable fault) {
        return fault instanceof GeneralSecurityException || fault instanceof SSLPeerUnverifiedException;
    }

    private static boolean isLoss(Throwable fault) {
        return fault instanceof SSLException
                ? CLOSED.matcher(String.valueOf(fault.getMessage())).find()
                : fault instanceof IOException;
    }
}
