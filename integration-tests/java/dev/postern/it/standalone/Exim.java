package dev.postern.it.standalone;

import dev.postern.it.server.PortFinder;
import jakarta.mail.Address;
import jakarta.mail.MessagingException;
import jakarta.mail.Session;
import jakarta.mail.Transport;
import jakarta.mail.internet.InternetAddress;
import jakarta.mail.internet.MimeMessage;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Properties;

/**
 * An Exim (Debian's package {@code exim4-daemon-light}) that runs as a process on this machine. It puts mails for
 * {@code example.com} into the mailboxes of a {@link Dovecot}, and takes no others. It wants nobody to log in, and lets them
 * do so over TLS alone. Skips the test where it is not installed.
 */
final class Exim implements AutoCloseable {

    private final InstalledServer server;
    private final Path log;
    private final int plain;
    private final int tls;

    /**
     * @param directory of its own, below one that all users may enter
     * @param certificate what it shows
     * @param dovecot the server that has the mailboxes
     * @param names the names before the at sign of those who have one
     */
    Exim(Path directory, CertificateMaker.SignedCertificate certificate, Dovecot dovecot, List<String> names)
            throws IOException {
        Path program = InstalledServer.program("exim4", "exim4-daemon-light");
        plain = PortFinder.free();
        tls = PortFinder.free();
        InstalledServer.own(InstalledServer.open(directory));
        log = directory.resolve("main.log");
        Path configuration = Files.writeString(
                directory.resolve("exim.conf"), configuration(directory, certificate, dovecot.mailboxes(), names));
        server = new InstalledServer(program, directory, List.of("-C", configuration.toString(), "-bdf"), plain, tls);
    }

    private String configuration(
            Path directory, CertificateMaker.SignedCertificate certificate, Path mailboxes, List<String> names) {
        return """
                exim_user = %1$s
                exim_group = %2$s
                deliver_drop_privilege = true
                keep_environment =
                primary_hostname = mx.example.com
                spool_directory = %3$s/spool
                log_file_path = %3$s/%%s.log
                local_interfaces = <; [127.0.0.1]:%4$d ; [127.0.0.1]:%5$d
                tls_on_connect_ports = %5$d
                tls_certificate = %6$s
                tls_privatekey = %7$s
                host_lookup =
                acl_smtp_rcpt = recipient
                begin acl
                recipient:
                  accept domains = example.com
                begin routers
                mailbox:
                  driver = accept
                  domains = example.com
                  local_parts = %8$s
                  transport = maildir
                begin transports
                maildir:
                  driver = appendfile
                  directory = %9$s/$local_part_data@$domain_data
                  maildir_format
                  user = %1$s
                  group = %2$s
                  return_path_add
                begin authenticators
                plain:
                  driver = plaintext
                  public_name = PLAIN
                  server_prompts = :
                  server_condition = ${if eq{$auth3}{%10$s}}
                  server_advertise_condition = ${if def:tls_in_cipher}
                  server_set_id = $auth2
                """
                .formatted(
                        InstalledServer.user(),
                        InstalledServer.group(),
                        directory,
                        plain,
                        tls,
                        certificate.certificate(),
                        certificate.key(),
                        String.join(" : ", names),
                        mailboxes,
                        Dovecot.PASSWORD);
    }

    /** Where it takes TLS from the first byte. */
    int tlsPort() {
        return tls;
    }

    /** Where it takes STARTTLS, and mails without a login. */
    int plainPort() {
        return plain;
    }

    /**
     * Sends a mail as a server elsewhere does.
     *
     * @param sender the envelope's, who gets the bounce
     */
    void send(String sender, String recipient, String mail) throws MessagingException {
        Properties properties = new Properties();
        properties.setProperty("mail.smtp.from", sender);
        Session session = Session.getInstance(properties);
        MimeMessage message = new MimeMessage(
                session, new ByteArrayInputStream(mail.replace("\n", "\r\n").getBytes(StandardCharsets.UTF_8)));
        try (Transport transport = session.getTransport("smtp")) {
            transport.connect("127.0.0.1", plain, null, null);
            transport.sendMessage(message, new Address[] {new InternetAddress(recipient)});
        }
    }

    /** The number of mails that {@code account} has sent after a login. */
    long sent(String account) throws IOException {
        return Files.readAllLines(log).stream()
                .filter(line -> line.contains(" <= " + account + " ") && line.contains(" A=plain:" + account + " "))
                .count();
    }

    @Override
    public void close() {
        server.close();
    }
}
