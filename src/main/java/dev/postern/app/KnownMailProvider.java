package dev.postern.app;

import java.util.List;
import java.util.Locale;
import java.util.Optional;

/**
 * A widely used mail provider, with the facts that its own documentation states.
 *
 * @param domains the domains of its users' addresses
 * @param host the IMAP server
 * @param login a sentence that tells the operator what else than the user's own password the login needs
 * @param tokenUrl the address that issues access tokens; empty where the provider takes none
 * @param smtpHost the SMTP server
 * @param smtpSecurity how its connection is encrypted, {@code tls} or {@code starttls}
 */
record KnownMailProvider(
        List<String> domains,
        String host,
        String login,
        Optional<String> tokenUrl,
        String smtpHost,
        String smtpSecurity) {

    private static final String TLS = "tls";
    private static final String STARTTLS = "starttls";
    private static final String MICROSOFT_HOST = "outlook.office365.com";
    private static final String MICROSOFT_LOGIN = "Microsoft takes no passwords any more: use --oauth.";
    private static final String MICROSOFT_TOKENS = "https://login.microsoftonline.com/common/oauth2/v2.0/token";

    static final List<KnownMailProvider> KNOWN = List.of(
            new KnownMailProvider(
                    List.of("gmail.com", "googlemail.com"),
                    "imap.gmail.com",
                    "Gmail takes no other password than an app password: https://myaccount.google.com/apppasswords makes"
                            + " one, once 2-Step Verification is on.",
                    Optional.of("https://oauth2.googleapis.com/token"),
                    "smtp.gmail.com",
                    TLS),
            // Organizations have domains of their own, which the host alone tells.
            new KnownMailProvider(
                    List.of(),
                    MICROSOFT_HOST,
                    MICROSOFT_LOGIN,
                    Optional.of(MICROSOFT_TOKENS),
                    "smtp.office365.com",
                    STARTTLS),
            new KnownMailProvider(
                    List.of("outlook.com", "hotmail.com", "live.com", "msn.com"),
                    MICROSOFT_HOST,
                    MICROSOFT_LOGIN,
                    Optional.of(MICROSOFT_TOKENS),
                    "smtp-mail.outlook.com",
                    STARTTLS),
            new KnownMailProvider(
                    List.of("yahoo.com"),
                    "imap.mail.yahoo.com",
                    "Yahoo takes an app password, which Account Security makes.",
                    Optional.empty(),
                    "smtp.mail.yahoo.com",
                    TLS),
            new KnownMailProvider(
                    List.of("icloud.com", "me.com", "mac.com"),
                    "imap.mail.me.com",
                    "Apple takes an app-specific password, which https://account.apple.com makes.",
                    Optional.empty(),
                    "smtp.mail.me.com",
                    STARTTLS),
            new KnownMailProvider(
                    List.of("fastmail.com"),
                    "imap.fastmail.com",
                    "Fastmail takes an app password, which Settings > Privacy & Security makes.",
                    Optional.empty(),
                    "smtp.fastmail.com",
                    TLS),
            new KnownMailProvider(
                    List.of("gmx.de", "gmx.net"),
                    "imap.gmx.net",
                    "GMX has IMAP switched off until its mail settings allow it.",
                    Optional.empty(),
                    "mail.gmx.net",
                    TLS),
            new KnownMailProvider(
                    List.of("web.de"),
                    "imap.web.de",
                    "WEB.DE has IMAP switched off until its mail settings allow it.",
                    Optional.empty(),
                    "smtp.web.de",
                    STARTTLS));

    /** The provider of {@code address}. */
    static Optional<KnownMailProvider> of(String address) {
        String domain = address.substring(address.lastIndexOf('@') + 1).toLowerCase(Locale.ROOT);
        return KNOWN.stream()
                .filter(service -> service.domains().contains(domain))
                .findFirst();
    }

    /** The provider whose IMAP server is {@code host}. */
    static Optional<KnownMailProvider> at(String host) {
        return KNOWN.stream()
                .filter(service -> service.host().equalsIgnoreCase(host))
                .findFirst();
    }
}
