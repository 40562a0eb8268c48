package dev.postern.net;

import java.security.cert.CertificateParsingException;
import java.security.cert.X509Certificate;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import javax.naming.InvalidNameException;
import javax.naming.ldap.LdapName;
import javax.naming.ldap.Rdn;
import javax.security.auth.x500.X500Principal;
import org.jspecify.annotations.Nullable;

/**
 * The names in a certificate, for the operator. Its issuer chose them and is not trusted, so they are made short and
 * printable here.
 */
final class CertificateNames {

    private static final int MOST = 5;
    private static final int MOST_CHARS = 80;
    private static final int DNS_NAME = 2;
    private static final int IP_ADDRESS = 7;

    private CertificateNames() {}

    /** The hosts of the certificate: its subject alternative names, or else its subject (RFC 9525, RFC 2818). */
    static String hosts(X509Certificate certificate) {
        List<String> names = new ArrayList<>();
        try {
            @Nullable Collection<List<?>> all = certificate.getSubjectAlternativeNames();
            for (List<?> each : all == null ? List.<List<?>>of() : all) {
                boolean host = each.get(0) instanceof Integer type && (type == DNS_NAME || type == IP_ADDRESS);
                if (host && each.get(1) instanceof String name) {
                    names.add(shown(name));
                }
            }
        } catch (CertificateParsingException e) {
            return "names that can't be read";
        }
        if (names.isEmpty()) {
            return subject(certificate);
        }
        String more = names.size() > MOST ? " and " + (names.size() - MOST) + " more" : "";
        return String.join(", ", names.subList(0, Math.min(names.size(), MOST))) + more;
    }

    /** The common name of the subject. */
    static String subject(X509Certificate certificate) {
        return common(certificate.getSubjectX500Principal());
    }

    /** The common name of the issuer. */
    static String issuer(X509Certificate certificate) {
        return common(certificate.getIssuerX500Principal());
    }

    /** The common name, or else the whole name. */
    private static String common(X500Principal principal) {
        String name = principal.getName();
        try {
            for (Rdn part : new LdapName(name).getRdns()) {
                if (part.getType().equalsIgnoreCase("CN") && part.getValue() instanceof String common) {
                    return shown(common);
                }
            }
        } catch (InvalidNameException e) {
            return "a name that can't be read";
        }
        return name.isEmpty() ? "nobody" : shown(name);
    }

    private static String shown(String name) {
        String printable = name.replaceAll("[^\\x20-\\x7e]", "?");
        return printable.length() > MOST_CHARS ? printable.substring(0, MOST_CHARS) + "..." : printable;
    }
}
