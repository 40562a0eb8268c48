package dev.postern.config;

import java.security.GeneralSecurityException;
import java.security.KeyStore;
import java.security.cert.X509Certificate;
import java.util.Base64;
import java.util.List;
import javax.net.ssl.TrustManagerFactory;
import javax.net.ssl.X509TrustManager;

/** Certificates that every Java has: those of its own authorities. */
final class KnownAuthorities {

    private KnownAuthorities() {}

    static List<X509Certificate> first(int count) {
        try {
            TrustManagerFactory factory = TrustManagerFactory.getInstance(TrustManagerFactory.getDefaultAlgorithm());
            factory.init((KeyStore) null);
            return List.of(((X509TrustManager) factory.getTrustManagers()[0]).getAcceptedIssuers())
                    .subList(0, count);
        } catch (GeneralSecurityException e) {
            throw new IllegalStateException("every Java has authorities", e);
        }
    }

    static String pem(X509Certificate certificate) {
        try {
            return "-----BEGIN CERTIFICATE-----\n"
                    + Base64.getMimeEncoder().encodeToString(certificate.getEncoded())
                    + "\n-----END CERTIFICATE-----\n";
        } catch (GeneralSecurityException e) {
            throw new IllegalStateException("a certificate without a code", e);
        }
    }
}
