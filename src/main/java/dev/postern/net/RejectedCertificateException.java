package dev.postern.net;

import java.io.Serial;
import java.security.cert.CertPathBuilderException;
import java.security.cert.CertificateException;
import java.security.cert.CertificateExpiredException;
import java.security.cert.CertificateNotYetValidException;
import java.security.cert.X509Certificate;
import java.time.LocalDate;
import java.time.ZoneOffset;
import java.util.Date;
import org.jspecify.annotations.Nullable;

/** An exception that says in words for the operator why a server's certificate is not accepted. */
public final class RejectedCertificateException extends CertificateException {

    @Serial
    private static final long serialVersionUID = 1L;

    private static final int MOST_WORDS = 200;

    /** The kind of problem. */
    private enum Problem {
        /** It has other names than the host that Postern connects to. */
        NAMES,
        /** A certificate of the chain is expired or not valid yet. */
        DATES,
        /** No trusted authority has signed it. */
        AUTHORITY,
        /** Another problem, which Java's message explains. */
        OTHER
    }

    private final Problem problem;
    private final String names;
    private final String issuer;
    private final String dates;

    private RejectedCertificateException(Problem problem, X509Certificate[] chain, CertificateException cause) {
        super(cause.getMessage(), cause);
        this.problem = problem;
        this.names = CertificateNames.hosts(chain[0]);
        this.issuer = chain[0].getSubjectX500Principal().equals(chain[0].getIssuerX500Principal())
                ? "itself"
                : CertificateNames.issuer(chain[0]);
        this.dates = dates(chain);
    }

    /**
     * The exception for a certificate without a valid chain to a trusted authority.
     *
     * @param chain the server's own certificate first; never empty
     */
    static RejectedCertificateException withoutTrust(X509Certificate[] chain, CertificateException cause) {
        Problem problem = Problem.OTHER;
        for (@Nullable Throwable next = cause; next != null; next = next.getCause()) {
            if (next instanceof CertificateExpiredException || next instanceof CertificateNotYetValidException) {
                problem = Problem.DATES;
            } else if (next instanceof CertPathBuilderException) {
                problem = Problem.AUTHORITY;
            }
        }
        return new RejectedCertificateException(problem, chain, cause);
    }

    /** The exception for a certificate that is trusted but does not fit this connection. */
    static RejectedCertificateException withoutUse(X509Certificate[] chain, CertificateException cause) {
        // Java has no exception type for a wrong name, and throws subtypes for everything else.
        boolean names = cause.getClass() == CertificateException.class && cause.getCause() == null;
        return new RejectedCertificateException(names ? Problem.NAMES : Problem.OTHER, chain, cause);
    }

    /**
     * Explains the problem with the certificate, and what to do about it.
     *
     * @param host the server's name
     * @param port the server's port
     * @param section the section of the configuration with the settings {@code host} and {@code caFile}
     */
    public String sentence(String host, int port, String section) {
        String certificate = "the certificate of " + host + ":" + port + " ";
        String dated = dates.isEmpty() ? "" : ", and " + dates;
        return switch (problem) {
            case NAMES ->
                certificate + "is for " + names + ", not " + host + "; set " + section + ".host to a name that it has";
            case DATES -> certificate + (dates.isEmpty() ? "is not valid now" : dates) + " (it is for " + names + ")";
            case AUTHORITY ->
                certificate + "is not trusted (it is for " + names + ", signed by " + issuer + dated
                        + "); have " + section
                        + ".caFile name a PEM file with its authority's certificate, which is then"
                        + " trusted beside Java's own (the system property javax.net.ssl.trustStore would replace Java's own"
                        + " authorities, for everything that Postern calls)";
            case OTHER -> certificate + "is not accepted (it is for " + names + dated + "): " + words();
        };
    }

    private String words() {
        String text = String.valueOf(getMessage()).replaceAll("[^\\x20-\\x7e]+", " ");
        return text.substring(0, Math.min(text.length(), MOST_WORDS));
    }

    /** The validity problem of the first certificate that is not valid now; empty if all are. */
    private static String dates(X509Certificate[] chain) {
        for (int i = 0; i < chain.length; i++) {
            String whose = i == 0 ? "" : "its authority " + CertificateNames.subject(chain[i]) + " ";
            try {
                chain[i].checkValidity();
            } catch (CertificateExpiredException e) {
                return whose + "expired on " + day(chain[i].getNotAfter());
            } catch (CertificateNotYetValidException e) {
                return whose + "is not valid before " + day(chain[i].getNotBefore());
            }
        }
        return "";
    }

    private static LocalDate day(Date date) {
        return LocalDate.ofInstant(date.toInstant(), ZoneOffset.UTC);
    }
}
