package dev.postern.config;

import dev.postern.config.ValueType.Good;
import dev.postern.model.Secret;
import java.io.IOException;
import java.nio.file.Path;
import java.util.Objects;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * A secret that may be exchanged for another one while Postern runs. Two are equal where the same file holds them, whatever it
 * holds by now.
 *
 * @param value what it was when the configuration was read
 * @param file holds it and nothing else; null where it stands in a place that Postern doesn't write to
 */
public record StoredSecret(Secret value, @Nullable Path file) {

    /** What the file holds now; empty where there is none, or nothing in it that can be a secret. */
    public Optional<Secret> read() {
        return file != null
                        && SecretReferences.content(file) instanceof Good<String> good
                        && SecretTypes.isOneLine(good.value())
                ? Optional.of(new Secret(good.value()))
                : Optional.empty();
    }

    /**
     * Has the file hold {@code next}, at one go; its owner alone can open it then.
     *
     * @throws IOException when it can't be written; it holds what it held before then
     */
    public void replace(Secret next) throws IOException {
        Path real = Objects.requireNonNull(file, "a secret without a file").toRealPath();
        try (FileReplacement replacement = FileReplacement.of(real, next.reveal() + "\n")) {
            replacement.carryOut();
        }
    }

    @Override
    public boolean equals(@Nullable Object other) {
        return other instanceof StoredSecret that
                && Objects.equals(file, that.file)
                && (file != null || value.equals(that.value));
    }

    @Override
    public int hashCode() {
        return file == null ? value.hashCode() : file.hashCode();
    }
}
