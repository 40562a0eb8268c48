package dev.postern.config;

import dev.postern.model.Secret;
import dev.postern.net.OwnerOnlyFiles;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;

/**
 * The password of the one user of {@code java -jar}, in the home, for whom there is no server to ask.
 *
 * @param file {@code secrets/console-password}, which its owner alone can read
 */
public record OperatorPassword(Path file, Secret password) {

    /** Reads it, and makes one where there is none. */
    public static OperatorPassword in(Path home) throws IOException {
        Path file = home.resolve("secrets").resolve("console-password");
        if (!Files.exists(file)) {
            OwnerOnlyFiles ownerOnly = OwnerOnlyFiles.on(home);
            ownerOnly.directory(file.resolveSibling(""));
            ownerOnly.file(file, HomeInitializer.newToken() + "\n");
        }
        return new OperatorPassword(file, new Secret(Files.readString(file).strip()));
    }
}
