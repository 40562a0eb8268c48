package dev.postern.access;

import static org.assertj.core.api.Assertions.assertThat;

import dev.postern.config.SenderSettings;
import dev.postern.model.Secret;
import dev.postern.model.Sha256;
import java.security.MessageDigest;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import java.util.Optional;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** A test of finding a token among any number of them. */
class HookTokensTest {

    private final List<byte[]> compared = new ArrayList<>();

    @ParameterizedTest
    @ValueSource(ints = {0, 1, 2, 3, 4, 5, 7, 8, 9, 100})
    void findsEachTokenAndNoOther(int count) {
        HookTokens tokens = tokens(count);

        for (int i = 0; i < count; i++) {
            assertThat(senderOf(tokens.find("token-" + i))).isEqualTo("s" + i);
        }
        assertThat(tokens.find("token-" + count)).isNull();
        assertThat(tokens.find("\n")).isNull();
        assertThat(tokens.find("")).isNull();
    }

    @ParameterizedTest
    @ValueSource(ints = {0, 1, 3, 100})
    void comparesOneHashForKnownAndUnknownTokens(int count) {
        HookTokens tokens = tokens(count);
        for (int i = 0; i < 2 * count + 2; i++) {
            compared.clear();
            tokens.find("token-" + i);

            assertThat(compared).hasSize(2).allMatch(hash -> hash.length == 32);
            assertThat(compared.get(1)).isEqualTo(Sha256.of("token-" + i));
        }
    }

    @Test
    void findsBothTokensOfSender() {
        HookTokens tokens =
                new HookTokens(List.of(new Secret("key")), List.of(sender("ci", "old", "new")), MessageDigest::isEqual);

        assertThat(senderOf(tokens.find("old"))).isEqualTo("ci");
        assertThat(senderOf(tokens.find("new"))).isEqualTo("ci");
        assertThat(senderOf(tokens.find("key"))).isEqualTo("everybody");
        assertThat(tokens.find("oldnew")).isNull();
    }

    private HookTokens tokens(int count) {
        return new HookTokens(
                List.of(),
                IntStream.range(0, count)
                        .mapToObj(i -> sender("s" + i, "token-" + i))
                        .toList(),
                (one, other) -> {
                    compared.add(one);
                    compared.add(other);
                    return MessageDigest.isEqual(one, other);
                });
    }

    private static String senderOf(HookTokens.@Nullable Entry entry) {
        assertThat(entry).isNotNull();
        return entry.sender() == null ? "everybody" : entry.sender().id();
    }

    private static SenderSettings sender(String id, String... tokens) {
        return new SenderSettings(
                id,
                List.of(tokens).stream()
                        .map(token -> HexFormat.of().formatHex(Sha256.of(token)))
                        .toList(),
                List.of("ci"),
                new SenderSettings.Scope(Optional.empty(), Optional.empty(), Optional.empty(), Optional.empty()),
                null,
                false,
                null,
                null);
    }
}
