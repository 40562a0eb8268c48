package dev.postern.app;

import java.util.LinkedHashMap;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;

/** The options of {@code mail setup} for the channel that answers mails, with the defaults for what they leave out. */
final class AnswerChannelOptions {

    private static final String ANSWER_TO = "answerTo";
    private static final String SMTP_HOST = "smtpHost";
    private static final String SMTP_PORT = "smtpPort";
    private static final String SMTP_SECURITY = "smtpSecurity";
    private static final String STARTTLS_PORT = "587";
    private static final String CA_FILE = "caFile";

    private AnswerChannelOptions() {}

    /**
     * Moves these options out of {@code settings}.
     *
     * @param settings the options, and the settings of the mailbox with its host
     * @param provider the mailbox's provider, if it is known
     * @return the settings below {@code channels.mail}; empty without {@code answerTo}
     */
    static Map<String, String> takenFrom(Map<String, String> settings, Optional<KnownMailProvider> provider) {
        Optional<String> answerTo = Optional.ofNullable(settings.remove(ANSWER_TO));
        Optional<String> givenHost = Optional.ofNullable(settings.remove(SMTP_HOST));
        Optional<String> port = Optional.ofNullable(settings.remove(SMTP_PORT));
        Optional<String> givenSecurity = Optional.ofNullable(settings.remove(SMTP_SECURITY));
        Map<String, String> channel = new LinkedHashMap<>();
        if (answerTo.isEmpty()) {
            return channel;
        }
        String account = settings.getOrDefault("account", "");
        String host = givenHost.orElseGet(() ->
                provider.map(KnownMailProvider::smtpHost).orElse(guess(settings.getOrDefault("host", ""), account)));
        String security = givenSecurity.orElseGet(
                () -> provider.filter(known -> known.smtpHost().equalsIgnoreCase(host) && port.isEmpty())
                        .map(KnownMailProvider::smtpSecurity)
                        .orElse(port.equals(Optional.of(STARTTLS_PORT)) ? "starttls" : "tls"));
        channel.put("host", host);
        port.ifPresent(given -> channel.put("port", given));
        channel.put("security", security);
        if (settings.containsKey(CA_FILE) && !security.equals("none")) {
            channel.put(CA_FILE, settings.getOrDefault(CA_FILE, ""));
        }
        channel.put("account", settings.getOrDefault("username", account));
        if (settings.containsKey("username")) {
            channel.put("from", account);
        }
        channel.put("allow", answerTo.get());
        return channel;
    }

    /** The usual name of the SMTP server beside the IMAP server {@code host}. */
    private static String guess(String host, String account) {
        String name = host.toLowerCase(Locale.ROOT);
        return "smtp."
                + (name.startsWith("imap.")
                        ? name.substring("imap.".length())
                        : account.substring(account.lastIndexOf('@') + 1));
    }
}
