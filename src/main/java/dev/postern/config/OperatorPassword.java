package dev.postern.config;

import dev.postern.model.Secret;
import dev.postern.net.OwnerOnlyFiles;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;

/**
 * The password of the only user of {@code java -jar}. It is kept in the home, because there is no server that knows
 * users.
 *
 * @param file {@code secrets/console-password}, readable by its owner alone
 */
public record OperatorPassword(Path file, Secret password) {

    /** Reads the password, and creates one if there is none. */
    public static OperatorPassword in(Path home) throws IOException {
        Path file = home.resolve("secrets").resolve("console-password");
        if (!Files.exists(file)) {
            OwnerOnlyFiles ownerOnly = OwnerOnlyFiles.on(home);
            ownerOnly.createDirectory(file.resolveSibling(""));
            ownerOnly.writeFile(file, HomeInitializer.newToken() + "\n");
        }
        return new OperatorPassword(file, new Secret(Files.readString(file).strip()));
    }
}
