package dev.postern.net;

import java.io.IOException;
import java.net.Socket;
import java.security.GeneralSecurityException;
import java.security.KeyStore;
import java.security.KeyStoreException;
import java.security.cert.CertificateException;
import java.security.cert.X509Certificate;
import java.util.List;
import javax.net.ssl.SSLEngine;
import javax.net.ssl.TrustManager;
import javax.net.ssl.TrustManagerFactory;
import javax.net.ssl.X509ExtendedTrustManager;
import org.jspecify.annotations.Nullable;

/**
 * A trust manager that works like Java's own, with Java's own authorities and perhaps some more. It explains a problem with
 * a server's certificate by a {@link RejectedCertificateException}.
 */
final class ServerTrustManager extends X509ExtendedTrustManager {

    private final X509ExtendedTrustManager judge;

    private ServerTrustManager(X509ExtendedTrustManager judge) {
        this.judge = judge;
    }

    /**
     * @param authorities certificates that are trusted in addition to Java's own authorities
     * @throws GeneralSecurityException if Java's own authorities can't be read
     */
    static ServerTrustManager of(List<X509Certificate> authorities) throws GeneralSecurityException {
        X509ExtendedTrustManager java = judge(null);
        if (authorities.isEmpty()) {
            return new ServerTrustManager(java);
        }
        try {
            KeyStore all = KeyStore.getInstance(KeyStore.getDefaultType());
            all.load(null, null);
            add(all, "java", List.of(java.getAcceptedIssuers()));
            add(all, "more", authorities);
            return new ServerTrustManager(judge(all));
        } catch (IOException e) {
            throw new KeyStoreException("an empty key store can't be made", e);
        }
    }

    private static void add(KeyStore store, String prefix, List<X509Certificate> certificates)
            throws KeyStoreException {
        for (X509Certificate certificate : certificates) {
            store.setCertificateEntry(prefix + store.size(), certificate);
        }
    }

    /** @param trusted null for Java's own authorities */
    private static X509ExtendedTrustManager judge(@Nullable KeyStore trusted) throws GeneralSecurityException {
        TrustManagerFactory factory = TrustManagerFactory.getInstance(TrustManagerFactory.getDefaultAlgorithm());
        factory.init(trusted);
        for (TrustManager manager : factory.getTrustManagers()) {
            if (manager instanceof X509ExtendedTrustManager judge) {
                return judge;
            }
        }
        throw new KeyStoreException("this Java has no trust manager for certificates");
    }

    @Override
    public void checkServerTrusted(X509Certificate[] chain, String authType, Socket socket)
            throws CertificateException {
        checkServerTrusted(chain, authType);
        try {
            judge.checkServerTrusted(chain, authType, socket); // this compares the names, too
        } catch (CertificateException e) {
            throw RejectedCertificateException.withoutUse(chain, e);
        }
    }

    @Override
    public void checkServerTrusted(X509Certificate[] chain, String authType, SSLEngine engine)
            throws CertificateException {
        judge.checkServerTrusted(chain, authType, engine);
    }

    @Override
    public void checkServerTrusted(X509Certificate[] chain, String authType) throws CertificateException {
        try {
            judge.checkServerTrusted(chain, authType);
        } catch (CertificateException e) {
            throw RejectedCertificateException.withoutTrust(chain, e);
        }
    }

    @Override
    public void checkClientTrusted(X509Certificate[] chain, String authType, Socket socket)
            throws CertificateException {
        judge.checkClientTrusted(chain, authType, socket);
    }

    @Override
    public void checkClientTrusted(X509Certificate[] chain, String authType, SSLEngine engine)
            throws CertificateException {
        judge.checkClientTrusted(chain, authType, engine);
    }

    @Override
    public void checkClientTrusted(X509Certificate[] chain, String authType) throws CertificateException {
        judge.checkClientTrusted(chain, authType);
    }

    @Override
    public X509Certificate[] getAcceptedIssuers() {
        return judge.getAcceptedIssuers();
    }
}
