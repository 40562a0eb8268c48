package dev.postern.config;

import dev.postern.config.ConfigurationResult.Configured;
import dev.postern.model.Secret;
import dev.postern.net.OwnerOnlyFiles;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** An update that writes a mailbox into a home: its {@link MailFile}, and the login's secrets in files of their own. */
public final class MailboxUpdate implements MailboxUpdatePlan {

    private final HomeDirectory home;
    private final MailFile.Draft draft;
    private final List<String> dropped;
    private final Map<Path, String> secrets;
    private final Configured configured;

    MailboxUpdate(
            HomeDirectory home,
            MailFile.Draft draft,
            List<String> dropped,
            Map<Path, String> secrets,
            Configured configured) {
        this.home = home;
        this.draft = draft;
        this.dropped = dropped;
        this.secrets = secrets;
        this.configured = configured;
    }

    /** The configuration that a start would use after the update. */
    public Configured configured() {
        return configured;
    }

    /** The mailbox, whether or not hooks are enabled. */
    public MailboxSettings mailbox() {
        MailboxSettings mailbox = configured.settings().hooks().mailbox();
        if (mailbox == null) {
            throw new IllegalStateException("a change without an account");
        }
        return mailbox;
    }

    /** The channels that send mails, by id; also those that the main file has. */
    public Map<String, Settings.Channel> mailChannels() {
        Map<String, Settings.Channel> channels =
                new LinkedHashMap<>(configured.settings().channels());
        channels.values().removeIf(channel -> ChannelKind.of(channel) != ChannelKind.MAIL);
        return channels;
    }

    /** The configuration file with the mailbox. */
    public Path file() {
        return draft.file().path();
    }

    /** The settings that the file has and will lose, except those of the login. */
    public List<String> dropped() {
        return dropped;
    }

    /** The same update with another refresh token, for one that was exchanged in the meantime. */
    public MailboxUpdate withRefreshToken(Secret next) {
        Path file = home.directory().resolve(MailboxUpdatePlan.SECRETS).resolve(MailboxUpdatePlan.REFRESH_TOKEN_FILE);
        Map<Path, String> exchanged = new LinkedHashMap<>(secrets);
        exchanged.replace(file, next.reveal());
        return new MailboxUpdate(home, draft, dropped, exchanged, configured);
    }

    /** The files with the secrets. */
    public List<Path> secretFiles() {
        return List.copyOf(secrets.keySet());
    }

    /**
     * Writes the secrets, then the file, each whole or not at all. An empty home is set up first.
     *
     * @throws IOException if the home can't be written; the file is unchanged then
     */
    public void write() throws IOException {
        HomeInitializer.setUpIfFresh(home);
        OwnerOnlyFiles.on(home.directory()).createDirectory(home.directory().resolve(MailboxUpdatePlan.SECRETS));
        List<FileReplacement> replacements = new ArrayList<>();
        try {
            for (Map.Entry<Path, String> secret : secrets.entrySet()) {
                replacements.add(FileReplacement.of(secret.getKey(), secret.getValue() + "\n"));
            }
            Path file = draft.file().exists() ? file().toRealPath() : file();
            replacements.add(FileReplacement.of(file, draft.text()));
            for (FileReplacement replacement : replacements) {
                replacement.commit();
            }
        } finally {
            for (FileReplacement replacement : replacements) {
                replacement.close();
            }
        }
    }
}
