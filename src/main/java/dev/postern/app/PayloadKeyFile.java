package dev.postern.app;

import dev.postern.config.Settings;
import dev.postern.net.OwnerOnlyFiles;
import dev.postern.observe.StartFailureReport;
import dev.postern.requests.PayloadCipher;
import dev.postern.requests.PayloadSealer;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.SecureRandom;
import java.util.Base64;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** The file {@code secrets/payload-key} of the home, which holds the key of kept payloads in base64url. */
final class PayloadKeyFile {

    private static final String NAME = "payload-key";

    private PayloadKeyFile() {}

    /**
     * The cipher with the key of the file, which is created when {@code settings} keep payloads for the first time. The caller
     * holds the home's lock.
     *
     * @return null if there is no file and none is needed
     * @throws StartException if the file can't be read or created, or holds no key
     */
    static @Nullable PayloadCipher cipher(Settings settings) throws StartException {
        Path directory = settings.home().resolve("secrets");
        Path file = directory.resolve(NAME);
        try {
            if (Files.notExists(file)) {
                if (!PayloadSealer.isNeeded(settings)) {
                    return null;
                }
                OwnerOnlyFiles ownerOnly = OwnerOnlyFiles.on(settings.home());
                ownerOnly.createDirectory(directory);
                ownerOnly.writeFile(file, newKey() + "\n");
            }
            return read(file);
        } catch (IOException e) {
            throw problem("the key of kept payloads, [" + file + "], can't be read or created ("
                    + OwnerOnlyFiles.reason(e) + "); let Postern's user read and write it");
        }
    }

    /**
     * The cipher with the key of the file, which stays as it is.
     *
     * @return null if there is no file
     * @throws StartException if the file can't be read, or holds no key
     */
    static @Nullable PayloadCipher existing(Settings settings) throws StartException {
        Path file = settings.home().resolve("secrets").resolve(NAME);
        try {
            return Files.notExists(file) ? null : read(file);
        } catch (IOException e) {
            throw problem("the key of kept payloads, [" + file + "], can't be read (" + OwnerOnlyFiles.reason(e)
                    + "); run the command as Postern's user");
        }
    }

    private static PayloadCipher read(Path file) throws IOException, StartException {
        try {
            return new PayloadCipher(
                    Base64.getUrlDecoder().decode(Files.readString(file).strip()));
        } catch (IllegalArgumentException e) {
            throw problem("[" + file + "] holds no key of kept payloads; restore it from a backup, or delete it with"
                    + " the loss of the payloads that were kept");
        }
    }

    private static String newKey() {
        byte[] key = new byte[PayloadCipher.KEY_BYTES];
        new SecureRandom().nextBytes(key);
        return Base64.getUrlEncoder().withoutPadding().encodeToString(key);
    }

    private static StartException problem(String sentence) {
        return new StartException(StartFailureReport.ofSettings(List.of(sentence)));
    }
}
