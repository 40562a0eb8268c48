package dev.postern.mail;

import dev.postern.config.MailboxSettings.Login;
import dev.postern.config.MailboxSettings.Oauth;
import dev.postern.config.ReplaceableSecret;
import dev.postern.model.Secret;
import java.io.IOException;
import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * A refresh token (RFC 6749, section 6), which its service may exchange for another one at any time. If a file holds the
 * token and nothing else, a new one is written to it, and changes of the file by others take effect. For one thread.
 */
public final class RefreshToken {

    private static final Logger LOG = System.getLogger(RefreshToken.class.getName());

    private final ReplaceableSecret kept;
    private final boolean writes;
    private Secret current;
    /** Content of the file when it was last read or written. */
    private Secret seen;

    private boolean exchanged;
    private boolean warned;

    private RefreshToken(ReplaceableSecret kept, boolean writes) {
        this.kept = kept;
        this.writes = writes;
        this.current = kept.value();
        this.seen = kept.value();
    }

    /** The token of an OAuth login; null for another login. */
    public static @Nullable RefreshToken of(@Nullable Login login) {
        return login instanceof Oauth oauth ? new RefreshToken(oauth.refreshToken(), true) : null;
    }

    /** The token of an OAuth login, neither read from a file again nor written to one; null for another login. */
    public static @Nullable RefreshToken inMemory(@Nullable Login login) {
        return login instanceof Oauth oauth
                ? new RefreshToken(new ReplaceableSecret(oauth.refreshToken().value(), null), false)
                : null;
    }

    /** The token to use for the next request. */
    Secret current() {
        Secret stored = kept.read().orElse(seen);
        if (!stored.equals(seen)) {
            seen = stored;
            current = stored;
        }
        return current;
    }

    /** Stores {@code next} and uses it from now on. */
    void exchange(Secret next) {
        if (next.equals(current)) {
            return;
        }
        if (writes) {
            write(next);
        }
        current = next;
        exchanged = true;
    }

    /** The token that the service has exchanged for the first one; empty if it has not. */
    public Optional<Secret> exchanged() {
        return exchanged ? Optional.of(current) : Optional.empty();
    }

    private void write(Secret next) {
        if (kept.file() == null) {
            tell("hooks.gmail.oauth.refreshToken is not the content of a file; write it into one, such as"
                    + " secrets/mail-refresh-token, and have the setting say ${file:secrets/mail-refresh-token}");
            return;
        }
        try {
            kept.replace(next);
            seen = next;
            warned = false;
        } catch (IOException e) {
            tell(kept.file() + " can't be written (" + e + ")");
        }
    }

    /** Warns once that the new token will be lost. */
    private void tell(String why) {
        LOG.log(
                warned ? Level.DEBUG : Level.WARNING,
                "The service of hooks.gmail.oauth has exchanged the refresh token. The new one is used but not stored:"
                        + " {0}. The login may be refused after a restart",
                why);
        warned = true;
    }
}
