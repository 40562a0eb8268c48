package dev.postern.config;

import dev.postern.config.ConfigurationNode.Fields;
import dev.postern.model.Secret;
import java.io.IOException;
import java.nio.file.Path;

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

    private final HomeDirectory home;
    private final String id;
    private final Secret token;
    private final Tokens tokens;
    private final Fields senders;

    SenderUpdate(HomeDirectory home, String id, Secret token, Tokens tokens, Fields senders) {
        this.home = home;
        this.id = id;
        this.token = token;
        this.tokens = tokens;
        this.senders = senders;
    }

    /** The sender's id. */
    public String id() {
        return id;
    }

    /** The new token, which is written nowhere. */
    public Secret token() {
        return token;
    }

    /** The tokens that the sender will have. */
    public Tokens tokens() {
        return tokens;
    }

    /** The file with the sender. */
    public Path file() {
        return SendersFile.in(home.directory()).path();
    }

    /**
     * Writes the file, whole or not at all; its owner alone may open it. An empty home is set up first.
     *
     * @throws IOException if the home can't be written; the file is unchanged then
     */
    public void write() throws IOException {
        HomeInitializer.setUpIfFresh(home);
        Path file = SendersFile.in(home.directory()).exists() ? file().toRealPath() : file();
        try (FileReplacement replacement = FileReplacement.of(file, SendersFile.text(senders))) {
            replacement.commit();
        }
    }
}
