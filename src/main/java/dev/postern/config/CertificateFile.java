package dev.postern.config;

import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.cert.CertificateException;
import java.security.cert.CertificateFactory;
import java.security.cert.X509Certificate;
import java.util.ArrayList;
import java.util.Base64;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * A file with one or more certificates in PEM (RFC 7468). Text around the certificates is ignored.
 *
 * @param path the file
 */
record CertificateFile(Path path) {

    private static final int MAX_BYTES = 1 << 20;
    private static final Pattern CERTIFICATE =
            Pattern.compile("-----BEGIN CERTIFICATE-----([A-Za-z0-9+/=\\s]++)-----END CERTIFICATE-----");

    /** The content of the file: certificates, or the reason why there are none. Exactly one of the two is empty. */
    record Content(List<X509Certificate> certificates, String error) {

        Content {
            certificates = List.copyOf(certificates);
        }

        private static Content error(String words) {
            return new Content(List.of(), words);
        }
    }

    Content read() {
        try {
            if (!Files.isRegularFile(path)) {
                return Content.error(Files.exists(path) ? "is no regular file" : "does not exist");
            }
            if (Files.size(path) > MAX_BYTES) {
                return Content.error("is larger than 1 MiB");
            }
            // PEM is ASCII; the text around it may be in any charset.
            return certificates(new String(Files.readAllBytes(path), StandardCharsets.ISO_8859_1));
        } catch (IOException e) {
            return Content.error("could not be read (" + e.getClass().getSimpleName() + ")");
        }
    }

    private static Content certificates(String text) {
        List<X509Certificate> certificates = new ArrayList<>();
        Matcher block = CERTIFICATE.matcher(text);
        try {
            CertificateFactory factory = CertificateFactory.getInstance("X.509");
            while (block.find()) {
                byte[] der = Base64.getMimeDecoder().decode(block.group(1));
                certificates.add((X509Certificate) factory.generateCertificate(new ByteArrayInputStream(der)));
            }
        } catch (CertificateException | IllegalArgumentException e) {
            return Content.error("holds a certificate, number " + (certificates.size() + 1) + ", that can't be read");
        }
        return certificates.isEmpty()
                ? Content.error("holds no certificate in PEM (-----BEGIN CERTIFICATE-----)")
                : new Content(certificates, "");
    }
}
