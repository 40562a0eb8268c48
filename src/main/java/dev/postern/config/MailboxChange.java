package dev.postern.config;

import dev.postern.config.Configuration.Configured;
import dev.postern.config.MapText.NoPlaceException;
import dev.postern.model.Secret;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * A mailbox that can be written into a home: {@code hooks.gmail} and the preset into its configuration file, the secrets of
 * the login into files of their own.
 */
public final class MailboxChange implements MailboxPlan {

    private final Home home;
    private final Path file;
    private final boolean fresh;
    private final MailboxTree tree;
    private final Map<Path, String> secrets;
    private final Configured configured;
    private final @Nullable String text;
    private final @Nullable String obstacle;

    MailboxChange(
            Home home,
            Path file,
            boolean fresh,
            MailboxTree tree,
            Map<Path, String> secrets,
            Configured configured,
            @Nullable String text,
            @Nullable String obstacle) {
        this.home = home;
        this.file = file;
        this.fresh = fresh;
        this.tree = tree;
        this.secrets = secrets;
        this.configured = configured;
        this.text = text;
        this.obstacle = obstacle;
    }

    /** What a start would run on afterwards. */
    public Configured configured() {
        return configured;
    }

    /** The mailbox, whether or not hooks are enabled. */
    public MailWatch mailbox() {
        MailWatch mailbox = configured.settings().hooks().mailbox();
        if (mailbox == null) {
            throw new IllegalStateException("a change without an account");
        }
        return mailbox;
    }

    /** The configuration file. */
    public Path file() {
        return file;
    }

    /** Why a person has to change the file; empty where {@link #write} can. */
    public Optional<String> obstacle() {
        return Optional.ofNullable(obstacle);
    }

    /** What the file has to say, for a person to put there. */
    public String section() {
        boolean json = !file.toString().matches(".*\\.ya?ml");
        MapText section = new MapText(json ? "{}" : "", json);
        try {
            tree.writeInto(section);
        } catch (NoPlaceException impossible) {
            throw new IllegalStateException("an empty text has a place for everything", impossible);
        }
        return section.text().strip();
    }

    /** What {@code hooks.gmail} said so far and will not say any more. */
    public List<String> dropped() {
        return tree.dropped();
    }

    /** Whether the home holds nothing yet. */
    public boolean isFresh() {
        return fresh;
    }

    /** The same change with another refresh token, where the one that it had was exchanged meanwhile. */
    public MailboxChange withRefreshToken(Secret next) {
        Path file = home.directory().resolve(MailboxPlan.SECRETS).resolve(MailboxPlan.REFRESH_TOKEN_FILE);
        Map<Path, String> exchanged = new LinkedHashMap<>(secrets);
        exchanged.replace(file, next.reveal());
        return new MailboxChange(home, this.file, fresh, tree, exchanged, configured, text, obstacle);
    }

    /** The files with the secrets. */
    public List<Path> secretFiles() {
        return List.copyOf(secrets.keySet());
    }

    /**
     * Writes the secrets, and the configuration file unless there is an {@link #obstacle}; each whole or not at all. A home
     * that holds nothing is set up first.
     *
     * @throws IOException when the home can't be written; its configuration file is as it was then
     */
    public void write() throws IOException {
        Problems problems = new Problems();
        if (fresh && new FreshHome(home, problems).setUp().isEmpty()) {
            throw new IOException(problems.refused().problems().get(0).wrong());
        }
        OwnerOnly ownerOnly = OwnerOnly.on(home.directory());
        ownerOnly.directory(home.directory().resolve(MailboxPlan.SECRETS));
        List<Replacement> replacements = new ArrayList<>();
        try {
            for (Map.Entry<Path, String> secret : secrets.entrySet()) {
                replacements.add(Replacement.ofSecret(secret.getKey(), secret.getValue() + "\n"));
            }
            if (text != null && obstacle == null) {
                replacements.add(Replacement.of(file, text));
            }
            for (Replacement replacement : replacements) {
                replacement.carryOut();
            }
        } finally {
            for (Replacement replacement : replacements) {
                replacement.close();
            }
        }
    }
}
