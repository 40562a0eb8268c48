package dev.postern.ingress;

import static org.assertj.core.api.Assertions.assertThat;

import com.code_intelligence.jazzer.junit.FuzzTest;
import dev.postern.acceptance.IdempotencyKey;
import dev.postern.it.InputCounter;
import java.nio.charset.StandardCharsets;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.extension.RegisterExtension;

/**
 * A fuzz target of idempotency keys. An input is lines of keys. Each valid one is stored for different senders and mappings,
 * and no two of those are the same.
 */
@Tag("fuzz")
class IdempotencyKeyFuzz {

    @RegisterExtension
    static final InputCounter INPUTS = new InputCounter("lists of idempotency keys");

    private static final byte[] NO_HASH = new byte[32];

    @FuzzTest
    void keepsKeysApart(byte[] bytes) {
        INPUTS.increment();
        Set<String> given = new LinkedHashSet<>(List.of(new String(bytes, StandardCharsets.UTF_8).split("\n", -1)));
        Set<String> stored = new LinkedHashSet<>();
        int valid = 0;
        for (String key : given) {
            assertThat(IdempotencyKeyRules.isKey(IdempotencyKeyRules.ofDelivery(key)))
                    .isTrue();
            if (IdempotencyKeyRules.isKey(key)) {
                valid++;
                assertThat(IdempotencyKeyRules.ofDelivery(key)).isEqualTo(key);
                stored.add(stored(null, "", key));
                stored.add(stored(null, "github", key));
                stored.add(stored("ann", "", key));
                stored.add(stored("ann", "github", key));
                stored.add(stored("github", "ann", key));
            }
        }
        assertThat(stored).hasSize(5 * valid);
    }

    private static String stored(@Nullable String sender, String space, String key) {
        return new IdempotencyKey(IdempotencyKeyRules.stored(sender, space, key), NO_HASH).value();
    }
}
