package dev.postern.it.standalone;

import dev.postern.it.server.PortFinder;
import jakarta.mail.Folder;
import jakarta.mail.Message;
import jakarta.mail.MessagingException;
import jakarta.mail.Session;
import jakarta.mail.Store;
import jakarta.mail.internet.MimeMessage;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Properties;
import java.util.stream.Stream;

/**
 * A Dovecot (Debian's package {@code dovecot-imapd}) that runs as a process on this machine with a mailbox for each
 * account that logs in. Skips the test where it is not installed.
 */
final class Dovecot implements AutoCloseable {

    static final String ACCOUNT = "ada@example.com";
    static final String PASSWORD = "it-dovecot-4kT9";

    private final InstalledServer server;
    private final Path mailboxes;
    private final Path mail;
    private final int plain;
    private final int tls;

    /**
     * @param directory of its own, below one that all users may enter
     * @param certificate what it shows
     */
    Dovecot(Path directory, CertificateMaker.SignedCertificate certificate) throws IOException {
        Path program = InstalledServer.program("dovecot", "dovecot-imapd");
        plain = PortFinder.free();
        tls = PortFinder.free();
        mailboxes = Files.createDirectories(directory.resolve("mail"));
        mail = Files.createDirectories(mailboxes.resolve(ACCOUNT));
        if (InstalledServer.ROOT) {
            InstalledServer.open(directory);
        }
        InstalledServer.own(mailboxes);
        InstalledServer.own(mail);
        Path configuration =
                Files.writeString(directory.resolve("dovecot.conf"), configuration(directory, certificate));
        server = new InstalledServer(program, directory, List.of("-F", "-c", configuration.toString()), plain, tls);
    }

    /**
     * A new directory for servers. It is not below the build's: the path of a socket has 107 characters at most, and Dovecot's
     * users have to get there.
     */
    static Path newDirectory() throws IOException {
        return InstalledServer.open(Files.createTempDirectory(Path.of("/tmp"), "dovecot-"));
    }

    static void delete(Path directory) throws IOException {
        try (Stream<Path> paths = Files.walk(directory)) {
            for (Path path : paths.sorted(Comparator.reverseOrder()).toList()) {
                Files.deleteIfExists(path);
            }
        }
    }

    private String configuration(Path directory, CertificateMaker.SignedCertificate certificate) {
        String user = System.getProperty("user.name");
        String users = InstalledServer.ROOT
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
                mail_location = maildir:%4$s/%%u
                first_valid_uid = 1
                passdb {
                  driver = static
                  args = password=%5$s
                }
                userdb {
                  driver = static
                  args = uid=%6$s gid=%7$s home=%4$s/%%u
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
                                mailboxes,
                                PASSWORD,
                                InstalledServer.user(),
                                InstalledServer.group(),
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

    /** The directory that has a mail directory for each account. */
    Path mailboxes() {
        return mailboxes;
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
            InstalledServer.own(Files.createDirectories(mail.resolve(part)));
        }
        for (int i = 0; i < count; i++) {
            String text = "From: Bob <bob@example.com>\nTo: " + ACCOUNT + "\nSubject: old " + i + "\nMessage-ID: <old-"
                    + i + "@it.example>\n\nHello.\n";
            InstalledServer.own(
                    Files.writeString(mail.resolve("cur/" + (1_600_000_000 + i) + ".M" + i + ".it:2,"), text));
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

    /** The mails in the inbox of {@code account}. */
    List<MimeMessage> mails(String account) throws MessagingException {
        List<MimeMessage> mails = new ArrayList<>();
        visit(account, store -> {
            try (Folder inbox = store.getFolder("INBOX")) {
                inbox.open(Folder.READ_ONLY);
                for (Message message : inbox.getMessages()) {
                    mails.add(new MimeMessage((MimeMessage) message));
                }
            }
        });
        return mails;
    }

    private interface StoreAction {
        void visit(Store store) throws MessagingException;
    }

    private void visit(StoreAction storeAction) throws MessagingException {
        visit(ACCOUNT, storeAction);
    }

    private void visit(String account, StoreAction storeAction) throws MessagingException {
        try (Store store = Session.getInstance(new Properties()).getStore("imap")) {
            store.connect("127.0.0.1", plain, account, PASSWORD);
            storeAction.visit(store);
        }
    }

    @Override
    public void close() throws IOException {
        server.close();
        permit("rwxr-xr-x"); // so that it can be deleted
    }
}
