package dev.postern.it.standalone;

import static org.awaitility.Awaitility.await;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import jakarta.mail.Folder;
import jakarta.mail.Message;
import jakarta.mail.MessagingException;
import jakarta.mail.Session;
import jakarta.mail.Store;
import jakarta.mail.internet.MimeMessage;
import java.io.ByteArrayInputStream;
import java.io.File;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.Properties;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;

/**
 * A Dovecot (Debian's package {@code dovecot-imapd}) that runs as a process on this machine with one mailbox. Skips the
 * test where it is not installed.
 */
final class Dovecot implements AutoCloseable {

    static final String ACCOUNT = "ada@example.com";
    static final String PASSWORD = "it-dovecot-4kT9";

    private static final Duration LONGEST_START = Duration.ofSeconds(90);
    private static final boolean ROOT = "root".equals(System.getProperty("user.name"));
    private static final String NOBODY = "nobody";

    private final Process process;
    private final Path mail;
    private final int plain;
    private final int tls;

    /**
     * @param directory of its own, below one that all users may enter
     * @param certificate what it shows
     */
    Dovecot(Path directory, CertificateMaker.SignedCertificate certificate) throws IOException {
        Optional<Path> program = program();
        assumeTrue(program.isPresent(), "dovecot (package dovecot-imapd) has to be installed");
        plain = freePort();
        tls = freePort();
        mail = Files.createDirectories(directory.resolve("mail"));
        if (ROOT) {
            Files.setPosixFilePermissions(directory, PosixFilePermissions.fromString("rwxr-xr-x"));
        }
        own(mail);
        Path configuration =
                Files.writeString(directory.resolve("dovecot.conf"), configuration(directory, mail, certificate));
        process = new ProcessBuilder(program.get().toString(), "-F", "-c", configuration.toString())
                .redirectErrorStream(true)
                .redirectOutput(directory.resolve("out.log").toFile())
                .start();
        await("Dovecot, see " + directory).atMost(LONGEST_START).until(() -> answers(plain) && answers(tls));
    }

    /**
     * A new directory for servers. It is not below the build's: the path of a socket has 107 characters at most, and Dovecot's
     * users have to get there.
     */
    static Path newDirectory() throws IOException {
        Path directory = Files.createTempDirectory(Path.of("/tmp"), "dovecot-");
        return Files.setPosixFilePermissions(directory, PosixFilePermissions.fromString("rwxr-xr-x"));
    }

    static void delete(Path directory) throws IOException {
        try (Stream<Path> paths = Files.walk(directory)) {
            for (Path path : paths.sorted(Comparator.reverseOrder()).toList()) {
                Files.deleteIfExists(path);
            }
        }
    }

    private String configuration(Path directory, Path mail, CertificateMaker.SignedCertificate certificate) {
        String user = System.getProperty("user.name");
        String users = ROOT
                ? ""
                : "default_internal_user = %1$s\ndefault_login_user = %1$s\nservice anvil {\n  chroot =\n}\n"
                        .formatted(user);
        return """
                protocols = imap
                listen = 127.0.0.1
                base_dir = %1$s/run
                state_dir = %1$s/state
                log_path = %1$s/dovecot.log
                ssl = yes
                ssl_cert = <%2$s
                ssl_key = <%3$s
                disable_plaintext_auth = no
                auth_mechanisms = plain login
                mail_location = maildir:%4$s
                first_valid_uid = 1
                passdb {
                  driver = static
                  args = password=%5$s
                }
                userdb {
                  driver = static
                  args = uid=%6$s gid=%7$s home=%4$s
                }
                service imap-login {
                  chroot =
                  inet_listener imap {
                    port = %8$d
                  }
                  inet_listener imaps {
                    port = %9$d
                    ssl = yes
                  }
                }
                """
                        .formatted(
                                directory,
                                certificate.certificate(),
                                certificate.key(),
                                mail,
                                PASSWORD,
                                ROOT ? NOBODY : user,
                                ROOT ? "nogroup" : user,
                                plain,
                                tls)
                + users;
    }

    /** Where it takes TLS from the first byte. */
    int tlsPort() {
        return tls;
    }

    /** Where it takes STARTTLS, and logins without any. */
    int plainPort() {
        return plain;
    }

    /** Puts a mail into the inbox. */
    void deliver(String mail) throws MessagingException {
        MimeMessage message = new MimeMessage(
                Session.getInstance(new Properties()),
                new ByteArrayInputStream(mail.replace("\n", "\r\n").getBytes(StandardCharsets.UTF_8)));
        visit(store -> store.getFolder("INBOX").appendMessages(new Message[] {message}));
    }

    /** Puts {@code count} mails into the inbox, as if each had been there for a while. */
    void fill(int count) throws IOException {
        for (String part : List.of("cur", "new", "tmp")) {
            own(Files.createDirectories(mail.resolve(part)));
        }
        for (int i = 0; i < count; i++) {
            String text = "From: Bob <bob@example.com>\nTo: " + ACCOUNT + "\nSubject: old " + i + "\nMessage-ID: <old-"
                    + i + "@it.example>\n\nHello.\n";
            own(Files.writeString(mail.resolve("cur/" + (1_600_000_000 + i) + ".M" + i + ".it:2,"), text));
        }
    }

    private static void own(Path file) throws IOException {
        if (ROOT) {
            Files.setOwner(
                    file, file.getFileSystem().getUserPrincipalLookupService().lookupPrincipalByName(NOBODY));
        }
    }

    void newFolder(String name) throws MessagingException {
        visit(store -> store.getFolder(name).create(Folder.HOLDS_MESSAGES));
    }

    /** Takes the right to change what is in the inbox away. */
    void makeReadOnly() throws IOException {
        permit("r-xr-xr-x");
    }

    private void permit(String rights) throws IOException {
        for (String part : List.of("cur", "new", "tmp", "")) {
            if (Files.exists(mail.resolve(part))) {
                Files.setPosixFilePermissions(mail.resolve(part), PosixFilePermissions.fromString(rights));
            }
        }
    }

    /** How many mails the folder {@code name} holds. */
    int count(String name) throws MessagingException {
        int[] count = new int[1];
        visit(store -> count[0] = store.getFolder(name).getMessageCount());
        return count[0];
    }

    private interface StoreAction {
        void visit(Store store) throws MessagingException;
    }

    private void visit(StoreAction storeAction) throws MessagingException {
        try (Store store = Session.getInstance(new Properties()).getStore("imap")) {
            store.connect("127.0.0.1", plain, ACCOUNT, PASSWORD);
            storeAction.visit(store);
        }
    }

    @Override
    public void close() throws IOException {
        process.destroy();
        try {
            if (!process.waitFor(10, TimeUnit.SECONDS)) {
                process.destroyForcibly();
            }
        } catch (InterruptedException e) {
            process.destroyForcibly();
            Thread.currentThread().interrupt();
        }
        permit("rwxr-xr-x"); // so that it can be deleted
    }

    private static Optional<Path> program() {
        return Stream.concat(Stream.of(System.getenv("PATH").split(File.pathSeparator, -1)), Stream.of("/usr/sbin"))
                .map(directory -> Path.of(directory, "dovecot"))
                .filter(Files::isExecutable)
                .findFirst();
    }

    private static int freePort() throws IOException {
        try (ServerSocket socket = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            return socket.getLocalPort();
        }
    }

    private static boolean answers(int port) {
        try (Socket socket = new Socket()) {
            socket.connect(new InetSocketAddress(InetAddress.getLoopbackAddress(), port), 500);
            return true;
        } catch (IOException notYet) {
            return false;
        }
    }
}
