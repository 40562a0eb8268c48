package dev.postern.it.standalone;

import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.KeyStore;
import java.security.cert.Certificate;
import java.util.ArrayList;
import java.util.Base64;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** A certification authority for one test, with certificates that it signs, made by the JDK's {@code keytool}. */
final class CertificateMaker {

    private static final String PASSWORD = "changeit";
    private static final String AUTHORITY = "authority";
    private static final Base64.Encoder PEM = Base64.getMimeEncoder(64, "\n".getBytes(StandardCharsets.US_ASCII));

    private final Path directory;
    private final Map<String, SignedCertificate> made = new HashMap<>();

    /** @param directory holds all that is made; it has to be there */
    CertificateMaker(Path directory) throws IOException, InterruptedException {
        this.directory = directory;
        keytool(
                AUTHORITY,
                "-genkeypair",
                "-dname",
                "CN=Test Authority",
                "-keyalg",
                "EC",
                "-validity",
                "20000",
                "-startdate",
                "2019/01/01",
                "-ext",
                "bc:c");
    }

    /** A PEM file with a key, and one with its certificate. */
    record SignedCertificate(Path key, Path certificate) {}

    /** A PEM file with the authority's certificate. */
    Path authority() throws IOException, GeneralSecurityException {
        return write("authority.pem", pem("CERTIFICATE", certificate(AUTHORITY).getEncoded()));
    }

    /**
     * Has the authority sign a certificate, unless it has signed the same before.
     *
     * @param host that it is for
     * @param from the day it is valid from, such as {@code 2020/02/01}
     * @param days that it is valid for
     */
    SignedCertificate sign(String host, String from, int days)
            throws IOException, InterruptedException, GeneralSecurityException {
        String name = host + "-" + from.replace("/", "") + "-" + days;
        SignedCertificate known = made.get(name);
        if (known != null) {
            return known;
        }
        // Not EC: GnuTLS reads no EC key without its public part, which Java leaves out.
        keytool(name, "-genkeypair", "-dname", "CN=" + host, "-keyalg", "RSA");
        Path request = directory.resolve(name + ".csr");
        keytool(name, "-certreq", "-file", request.toString());
        Path signed = directory.resolve(name + ".crt");
        keytool(
                AUTHORITY,
                "-gencert",
                "-infile",
                request.toString(),
                "-outfile",
                signed.toString(),
                "-rfc",
                "-startdate",
                from + " 12:00:00",
                "-validity",
                Integer.toString(days),
                "-ext",
                "san=dns:" + host);
        byte[] key = store(name).getKey(name, PASSWORD.toCharArray()).getEncoded();
        SignedCertificate made = new SignedCertificate(write(name + ".key", pem("PRIVATE KEY", key)), signed);
        this.made.put(name, made);
        return made;
    }

    private Certificate certificate(String alias) throws IOException, GeneralSecurityException {
        return store(alias).getCertificate(alias);
    }

    private KeyStore store(String alias) throws IOException, GeneralSecurityException {
        KeyStore store = KeyStore.getInstance("PKCS12");
        try (InputStream in = Files.newInputStream(file(alias))) {
            store.load(in, PASSWORD.toCharArray());
        }
        return store;
    }

    private Path file(String alias) {
        return directory.resolve(alias + ".p12");
    }

    private Path write(String name, String text) throws IOException {
        return Files.writeString(directory.resolve(name), text);
    }

    private static String pem(String what, byte[] der) {
        return "-----BEGIN " + what + "-----\n" + PEM.encodeToString(der) + "\n-----END " + what + "-----\n";
    }

    private void keytool(String alias, String... arguments) throws IOException, InterruptedException {
        List<String> command = new ArrayList<>(List.of(
                Path.of(System.getProperty("java.home"), "bin", "keytool").toString()));
        command.addAll(List.of(arguments));
        command.addAll(List.of("-alias", alias, "-keystore", file(alias).toString(), "-storetype", "PKCS12"));
        command.addAll(List.of("-storepass", PASSWORD));
        Process process = new ProcessBuilder(command)
                .redirectErrorStream(true)
                .redirectOutput(directory.resolve("keytool.log").toFile())
                .start();
        if (process.waitFor() != 0) {
            throw new IOException(
                    "keytool " + arguments[0] + ": " + Files.readString(directory.resolve("keytool.log")));
        }
    }
}
