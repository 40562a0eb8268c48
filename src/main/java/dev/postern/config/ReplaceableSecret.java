package dev.postern.config;

import dev.postern.config.ValueType.Valid;
import dev.postern.model.Secret;
import java.io.IOException;
import java.nio.file.Path;
import java.util.Objects;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * A secret that may be replaced while Postern runs. Two are equal if the same file holds them, with any content.
 *
 * @param value the secret at the time when the configuration was read
 * @param file the file that holds the secret and nothing else; null if Postern doesn't write to the secret's place
 */
public record ReplaceableSecret(Secret value, @Nullable Path file) {

    /** The secret that the file holds now; empty if there is no file, or no valid secret in it. */
    public Optional<Secret> read() {
        return file != null
                        && SecretReferences.content(file) instanceof Valid<String> valid
                        && SecretTypes.isOneLine(valid.value())
                ? Optional.of(new Secret(valid.value()))
                : Optional.empty();
    }

    /**
     * Writes {@code next} into the file atomically; only the file's owner can open it then.
     *
     * @throws IOException if it can't be written; its content is unchanged then
     */
    public void replace(Secret next) throws IOException {
        Path real = Objects.requireNonNull(file, "a secret without a file").toRealPath();
        try (FileReplacement replacement = FileReplacement.of(real, next.reveal() + "\n")) {
            replacement.commit();
        }
    }

    @Override
    public boolean equals(@Nullable Object other) {
        return other instanceof ReplaceableSecret that
                && Objects.equals(file, that.file)
                && (file != null || value.equals(that.value));
    }

    @Override
    public int hashCode() {
        return file == null ? value.hashCode() : file.hashCode();
    }
}
