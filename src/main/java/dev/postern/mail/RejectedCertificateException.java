package dev.postern.mail;

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

/** A server's certificate that is not accepted, and why, in words for the operator. */
final class RejectedCertificateException extends CertificateException {

    @Serial
    private static final long serialVersionUID = 1L;

    private static final int MOST_WORDS = 200;

    /** What is at fault. */
    private enum Fault {
        /** It has other names than the server is reached by. */
        NAMES,
        /** It, or one between it and the authority, is not valid today. */
        DATES,
        /** No authority is known that has signed it. */
        AUTHORITY,
        /** Something else that Java has words for. */
        OTHER
    }

    private final Fault fault;
    private final String names;
    private final String issuer;
    private final String dates;

    private RejectedCertificateException(Fault fault, X509Certificate[] chain, CertificateException cause) {
        super(cause.getMessage(), cause);
        this.fault = fault;
        this.names = CertificateNames.hosts(chain[0]);
        this.issuer = chain[0].getSubjectX500Principal().equals(chain[0].getIssuerX500Principal())
                ? "itself"
                : CertificateNames.issuer(chain[0]);
        this.dates = dates(chain);
    }

    /**
     * One whose way to a trusted authority is not good.
     *
     * @param chain the server's own first; never empty
     */
    static RejectedCertificateException withoutTrust(X509Certificate[] chain, CertificateException cause) {
        Fault fault = Fault.OTHER;
        for (@Nullable Throwable next = cause; next != null; next = next.getCause()) {
            if (next instanceof CertificateExpiredException || next instanceof CertificateNotYetValidException) {
                fault = Fault.DATES;
            } else if (next instanceof CertPathBuilderException) {
                fault = Fault.AUTHORITY;
            }
        }
        return new RejectedCertificateException(fault, chain, cause);
    }

    /** One that is trusted, and not to be used for this connection. */
    static RejectedCertificateException withoutUse(X509Certificate[] chain, CertificateException cause) {
        // Java has no type for a name that differs, and throws subtypes for all else.
        boolean names = cause.getClass() == CertificateException.class && cause.getCause() == null;
        return new RejectedCertificateException(names ? Fault.NAMES : Fault.OTHER, chain, cause);
    }

    /** What is wrong with the certificate of {@code server}, and what to do. */
    String sentence(ImapServerSettings server) {
        String certificate = "the certificate of " + server.where() + " ";
        String dated = dates.isEmpty() ? "" : ", and " + dates;
        return switch (fault) {
            case NAMES ->
                certificate + "is for " + names + ", not " + server.host()
                        + "; set hooks.gmail.host to a name that it has";
            case DATES -> certificate + (dates.isEmpty() ? "is not valid now" : dates) + " (it is for " + names + ")";
            case AUTHORITY ->
                certificate + "is not trusted (it is for " + names + ", signed by " + issuer + dated
                        + "); have hooks.gmail.caFile name a PEM file with its authority's certificate, which is then"
                        + " trusted beside Java's own (the system property javax.net.ssl.trustStore would replace Java's own"
                        + " authorities, for everything that Postern calls)";
            case OTHER -> certificate + "is not accepted (it is for " + names + dated + "): " + words();
        };
    }

    private String words() {
        String text = String.valueOf(getMessage()).replaceAll("[^\\x20-\\x7e]+", " ");
        return text.substring(0, Math.min(text.length(), MOST_WORDS));
    }

    /** Of the first one that is not valid now; empty where all are. */
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
