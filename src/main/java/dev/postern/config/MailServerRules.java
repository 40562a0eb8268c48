package dev.postern.config;

import dev.postern.config.MailboxSettings.Security;
import dev.postern.config.SettingDeclaration.Setting;
import dev.postern.model.HomeSetting;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.security.cert.X509Certificate;
import java.util.List;
import java.util.Locale;
import java.util.Optional;

/** The rules for the settings of a mail server's connection, for mails that are read and for mails that are sent. */
final class MailServerRules {

    private MailServerRules() {}

    /** The encryption of the connection to {@code host}; warns where there is none on the way to another machine. */
    static Security security(SectionReader section, Setting<String> setting, String host) {
        Security security = Security.valueOf(section.get(setting).toUpperCase(Locale.ROOT));
        if (security == Security.NONE && !isLoopback(host)) {
            section.warn(
                    setting, "is none, so that anyone on the way to " + host + " can read the mails and the login");
        }
        return security;
    }

    /** The certificates of the PEM file that {@code setting} names; none without it. */
    static List<X509Certificate> authorities(SectionReader section, Setting<String> setting, Security security) {
        Optional<String> given = section.given(setting);
        if (given.isEmpty()) {
            return List.of();
        }
        if (security == Security.NONE) {
            section.warn(setting, "is used for nothing while security is none");
        }
        String instead = "write " + setting.type().expected();
        try {
            ReadContext readContext = section.reading();
            Path file = HomeSetting.expand(given.get(), readContext.home(), readContext.userHome());
            CertificateFile.Content content = new CertificateFile(file).read();
            if (!content.error().isEmpty()) {
                section.problem(setting, "names the file " + file + ", which " + content.error(), instead);
            }
            return content.certificates();
        } catch (InvalidPathException malformed) {
            section.problem(setting, "is [" + given.get() + "]", instead);
            return List.of();
        }
    }

    /** Whether {@code host} is this machine. */
    static boolean isLoopback(String host) {
        return host.equalsIgnoreCase("localhost") || host.matches("127(\\.\\d{1,3}){3}") || host.matches("\\[?::1]?");
    }
}
