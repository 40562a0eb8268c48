package dev.postern.config;

import dev.postern.config.MailboxSettings.Afterwards;
import dev.postern.config.MailboxSettings.ImapServer;
import dev.postern.config.MailboxSettings.Login;
import dev.postern.config.MailboxSettings.Oauth;
import dev.postern.config.MailboxSettings.Password;
import dev.postern.config.MailboxSettings.Security;
import dev.postern.config.MappingSettings.Text;
import dev.postern.config.MappingSettings.TextField;
import dev.postern.config.SettingDeclaration.Setting;
import dev.postern.model.Secret;
import java.net.URI;
import java.time.DateTimeException;
import java.time.Instant;
import java.time.LocalDate;
import java.time.OffsetDateTime;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** The section {@code hooks.gmail}: the mailbox to watch, and the settings that apply to pushed mails too. */
final class GmailSection {

    /** The smallest limit on a request body where mails are expected, in bytes. */
    private static final int SMALLEST_BODY_BYTES = 262_144;

    /** The largest such limit, in bytes. */
    private static final int LARGEST_BODY_BYTES = 32 * 1024 * 1024;
    /** The most mails in one push. JSON may write each byte of their texts as three, and other fields come on top. */
    private static final int MAILS = 100;

    private static final int BYTES_AROUND = 8_192;

    private static final int TLS_PORT = 993;
    private static final int PLAIN_PORT = 143;
    private static final String MOVE = "move to ";

    private final SectionReader section;

    private GmailSection(SectionReader section) {
        this.section = section;
    }

    /** Reads {@code hooks.gmail}. Only {@link #mailbox} needs the mappings. */
    static GmailSection of(SectionReader hooks) {
        GmailSection gmail = new GmailSection(hooks.section(GmailFields.GMAIL));
        GmailFields.FOREIGN.stream()
                .filter(gmail.section::contains)
                .forEach(
                        foreign -> gmail.section.warn(foreign, "does nothing: Postern connects to the mailbox itself"));
        return gmail;
    }

    /** The model and the thinking level of the preset's turns, as templates without a placeholder. */
    Map<TextField, Text> texts(MappingRules rules) {
        Map<TextField, Text> texts = new EnumMap<>(TextField.class);
        section.given(GmailFields.MODEL).ifPresent(model -> {
            if (isLiteral(GmailFields.MODEL, model)) {
                rules.checkModel(section, GmailFields.MODEL, null, model);
                texts.put(TextField.MODEL, new Text(model, section.where(GmailFields.MODEL)));
            }
        });
        section.given(GmailFields.THINKING).ifPresent(level -> {
            rules.checkThinking(section, GmailFields.THINKING, level);
            texts.put(TextField.THINKING, new Text(level, section.where(GmailFields.THINKING)));
        });
        return texts;
    }

    private boolean isLiteral(Setting<String> setting, String text) {
        if (MappingTypes.isTemplated(text)) {
            section.problem(setting, "holds a placeholder", "write the same for every mail, or a mapping of your own");
            return false;
        }
        return true;
    }

    /** Warns of settings that have no effect without the preset. */
    void checkWithoutPreset() {
        for (Setting<?> setting : GmailFields.OF_THE_PRESET) {
            if (section.contains(setting)) {
                section.warn(setting, "is used for nothing: " + MailboxSettings.HOOK + " is not among hooks.presets");
            }
        }
    }

    /** Whether the preset's turns get the mails' text without a boundary. */
    boolean trusted() {
        return section.get(GmailFields.ALLOW_UNSAFE);
    }

    /**
     * The largest request body for the hook {@link MailboxSettings#HOOK}, in bytes.
     *
     * @param other the limit of the other hooks, in bytes
     * @param preset whether the preset is among the mappings
     */
    int maxBodyBytes(int other, boolean preset) {
        if (!preset && section.isEmpty()) {
            return other;
        }
        long push = MAILS * (3L * section.get(GmailFields.MAX_BYTES) + BYTES_AROUND);
        return (int) Math.max(other, Math.min(Math.max(push, SMALLEST_BODY_BYTES), LARGEST_BODY_BYTES));
    }

    /**
     * The mailbox to watch; null if there is no account.
     *
     * @param mappings all mappings
     */
    @Nullable
    MailboxSettings mailbox(SectionReader hooks, List<MappingSettings> mappings) {
        Optional<String> account = section.given(GmailFields.ACCOUNT);
        if (account.isEmpty()) {
            checkWithoutAccount();
            return null;
        }
        if (mappings.stream().noneMatch(GmailSection::takesMails)) {
            section.problem(
                    GmailFields.ACCOUNT,
                    "is [" + account.get() + "], whose mails no mapping takes",
                    "add " + MailboxSettings.HOOK + " to hooks.presets, or write a mapping for match: {path: "
                            + MailboxSettings.HOOK + "}");
        }
        if (!hooks.get(HooksSection.ENABLED)) {
            section.warn(GmailFields.ACCOUNT, "is not watched while hooks.enabled is false");
        }
        String host = section.get(GmailFields.HOST);
        Security security = MailServerRules.security(section, GmailFields.SECURITY, host);
        String label = section.get(GmailFields.LABEL);
        return new MailboxSettings(
                account.get(),
                new ImapServer(
                        host,
                        section.given(GmailFields.PORT).orElse(security == Security.TLS ? TLS_PORT : PLAIN_PORT),
                        security,
                        MailServerRules.authorities(section, GmailFields.CA_FILE, security),
                        section.given(GmailFields.USERNAME).orElse(account.get()),
                        login()),
                label,
                section.get(GmailFields.INCLUDE_BODY),
                section.get(GmailFields.MAX_BYTES),
                since(),
                afterwards(label));
    }

    private void checkWithoutAccount() {
        List<String> idle = GmailFields.OF_THE_MAILBOX.stream()
                .filter(section::contains)
                .map(SettingDeclaration::name)
                .toList();
        if (!idle.isEmpty() && !section.contains(GmailFields.ACCOUNT)) {
            section.problem(
                    GmailFields.ACCOUNT,
                    "is missing, while there is " + String.join(", ", idle),
                    "write the mailbox's address, or remove what is for it");
        }
    }

    /** Whether {@code mapping} takes payloads of the watched mailbox, which have the source gmail and no headers. */
    private static boolean takesMails(MappingSettings mapping) {
        MappingSettings.Match match = mapping.match();
        return (match.path() == null || match.path().equals(MailboxSettings.HOOK))
                && (match.source() == null || match.source().equals(MailboxSettings.SOURCE))
                && match.headers().isEmpty();
    }

    private @Nullable Login login() {
        Optional<Secret> password = section.given(GmailFields.PASSWORD);
        if (!section.contains(GmailFields.OAUTH)) {
            return password.map(Password::new).orElse(null);
        }
        if (section.contains(GmailFields.PASSWORD)) {
            section.problem(GmailFields.OAUTH, "stands beside password", "keep one of them");
        }
        SectionReader oauth = section.section(GmailFields.OAUTH);
        URI tokenUrl = oauth.get(GmailFields.TOKEN_URL);
        if (!"https".equalsIgnoreCase(tokenUrl.getScheme()) && !MailServerRules.isLoopback(tokenUrl.getHost())) {
            oauth.problem(
                    GmailFields.TOKEN_URL, "begins with http://, which shows the refresh token", "write https://");
        }
        Optional<String> clientId = oauth.given(GmailFields.CLIENT_ID);
        Optional<ReplaceableSecret> refreshToken = oauth.given(GmailFields.REFRESH_TOKEN);
        @Nullable Secret clientSecret = oauth.given(GmailFields.CLIENT_SECRET).orElse(null);
        return clientId.isEmpty() || refreshToken.isEmpty()
                ? null // already reported as a problem
                : new Oauth(tokenUrl, clientId.get(), clientSecret, refreshToken.get());
    }

    private @Nullable Instant since() {
        Optional<String> given = section.given(GmailFields.SINCE);
        if (given.isEmpty()) {
            return null;
        }
        try {
            return given.get().contains("T")
                    ? OffsetDateTime.parse(given.get()).toInstant()
                    : LocalDate.parse(given.get())
                            .atStartOfDay(section.reading().zone().get())
                            .toInstant();
        } catch (DateTimeException noSuchDay) {
            section.problem(
                    GmailFields.SINCE,
                    "is [" + given.get() + "], which no calendar has",
                    "write " + GmailFields.SINCE.type().expected());
            return null;
        }
    }

    private Afterwards afterwards(String label) {
        String words = section.get(GmailFields.AFTERWARDS);
        if (words.startsWith(MOVE)) {
            String folder = words.substring(MOVE.length()).strip();
            if (folder.equals(label) || (folder.equalsIgnoreCase(label) && folder.equalsIgnoreCase("INBOX"))) {
                section.problem(
                        GmailFields.AFTERWARDS,
                        "is [" + words + "], the folder that is watched, so that each mail would come again and again",
                        "name another folder");
            }
            return new Afterwards.Move(folder);
        }
        return switch (words) {
            case "read" -> new Afterwards.MarkRead();
            case "flag" -> new Afterwards.Flag();
            default -> new Afterwards.Leave();
        };
    }
}
