package dev.postern.config;

import dev.postern.config.ConfigurationNode.Fields;
import dev.postern.model.Secret;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;

/** An update that writes a sender with a new token into a home: the hash of the token, and not the token itself. */
public final class SenderUpdate implements SenderUpdatePlan {

    /** The tokens that a sender will have. */
    public enum Tokens {
        /** The new one alone. */
        ONE,
        /** The new one and the one before it. */
        TWO,
        /** The new one and the one before it; the first of three stops working. */
        TWO_OF_THREE;

        static Tokens of(boolean adds, boolean retires) {
            if (retires) {
                return TWO_OF_THREE;
            }
            return adds ? TWO : ONE;
        }
    }

    private final ProcessEnvironment environment;
    private final HomeDirectory home;
    private final String id;
    private final Map<String, String> settings;
    private final Secret token;
    private final Tokens tokens;
    private final Fields senders;
    private final List<ConfigurationWarning> warnings;

    SenderUpdate(
            ProcessEnvironment environment,
            HomeDirectory home,
            String id,
            Map<String, String> settings,
            Secret token,
            Tokens tokens,
            Fields senders,
            List<ConfigurationWarning> warnings) {
        this.environment = environment;
        this.home = home;
        this.id = id;
        this.settings = Map.copyOf(settings);
        this.token = token;
        this.tokens = tokens;
        this.senders = senders;
        this.warnings = warnings;
    }

    /** The new token, which is written nowhere. */
    public Secret token() {
        return token;
    }

    /** The tokens that the sender will have. */
    public Tokens tokens() {
        return tokens;
    }

    /** The warnings that a start will give about the sender. */
    public List<ConfigurationWarning> warnings() {
        return warnings;
    }

    /** The file with the sender. */
    public Path file() {
        return SendersFile.in(home.directory()).path();
    }

    /**
     * Plans the update once more, while no other process can change the file, and writes it: whole or not at all. Its owner
     * alone may open it. An empty home is set up first.
     *
     * @return the update that was written, with a token of its own; a rejected plan if the home has changed too much for it
     *     meanwhile, and then the file is unchanged
     * @throws IOException if the home can't be written; the file is unchanged then
     */
    public SenderUpdatePlan write() throws IOException {
        HomeInitializer.setUpIfFresh(home);
        SendersLock lock = SendersLock.of(home.directory());
        try {
            SenderUpdatePlan current = SenderUpdatePlan.of(environment, id, settings);
            if (current instanceof SenderUpdate update) {
                update.replaceFile();
            }
            return current;
        } finally {
            lock.close();
        }
    }

    private void replaceFile() throws IOException {
        Path file = SendersFile.in(home.directory()).exists() ? file().toRealPath() : file();
        try (FileReplacement replacement = FileReplacement.of(file, SendersFile.text(senders))) {
            replacement.commit();
        }
    }
}
