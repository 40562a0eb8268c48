package dev.postern.net;

import java.io.IOException;
import java.net.InetAddress;
import java.net.Socket;
import java.security.GeneralSecurityException;
import java.security.cert.X509Certificate;
import java.util.List;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLSocketFactory;
import javax.net.ssl.TrustManager;

/** A factory of TLS sockets over connected ones, which {@link ClosableSocketFactory} keeps track of. */
public final class TlsSocketFactory extends SSLSocketFactory {

    private final SSLSocketFactory factory;
    private final ClosableSocketFactory closableSocketFactory;

    private TlsSocketFactory(SSLSocketFactory factory, ClosableSocketFactory closableSocketFactory) {
        this.factory = factory;
        this.closableSocketFactory = closableSocketFactory;
    }

    /**
     * Creates a factory.
     *
     * @param authorities certificates that are trusted in addition to Java's own authorities
     * @throws GeneralSecurityException if Java's own authorities can't be read
     */
    public static TlsSocketFactory of(List<X509Certificate> authorities, ClosableSocketFactory closableSocketFactory)
            throws GeneralSecurityException {
        SSLContext context = SSLContext.getInstance("TLS");
        context.init(null, new TrustManager[] {ServerTrustManager.of(authorities)}, null);
        return new TlsSocketFactory(context.getSocketFactory(), closableSocketFactory);
    }

    @Override
    public Socket createSocket(Socket socket, String host, int port, boolean autoClose) throws IOException {
        return factory.createSocket(closableSocketFactory.track(socket), host, port, autoClose);
    }

    @Override
    public String[] getDefaultCipherSuites() {
        return factory.getDefaultCipherSuites();
    }

    @Override
    public String[] getSupportedCipherSuites() {
        return factory.getSupportedCipherSuites();
    }

    @Override
    public Socket createSocket(String host, int port) {
        throw unconnected();
    }

    @Override
    public Socket createSocket(String host, int port, InetAddress localHost, int localPort) {
        throw unconnected();
    }

    @Override
    public Socket createSocket(InetAddress host, int port) {
        throw unconnected();
    }

    @Override
    public Socket createSocket(InetAddress host, int port, InetAddress localHost, int localPort) {
        throw unconnected();
    }

    /** Angus connects the socket by itself, with its own time-out. */
    private static UnsupportedOperationException unconnected() {
        return new UnsupportedOperationException("only over sockets that are connected");
    }
}
