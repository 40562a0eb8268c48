package dev.postern.requests;

import static org.assertj.core.api.Assertions.assertThat;

import dev.postern.model.SealedPayload;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** A test of the encryption of payloads. */
class PayloadCipherTest {

    private static final byte[] PAYLOAD = "the payload".getBytes(StandardCharsets.UTF_8);

    private final PayloadCipher payloadCipher = new PayloadCipher(new byte[PayloadCipher.KEY_BYTES]);

    @Test
    void decryptsNothingOfAnotherRequestOrThatWasChanged() {
        SealedPayload sealed = payloadCipher.seal("req_1", PAYLOAD);
        byte[] changed = sealed.bytes().clone();
        changed[0] ^= 1;

        assertThat(payloadCipher.open("req_2", sealed)).isEmpty();
        assertThat(payloadCipher.open("req_1", new SealedPayload(sealed.keyId(), changed)))
                .isEmpty();
        assertThat(payloadCipher.open("req_1", new SealedPayload("another", sealed.bytes())))
                .isEmpty();
        assertThat(payloadCipher.open("req_1", sealed)).contains(PAYLOAD);
    }

    @Test
    void encryptsARequestAgainInTheSameWay() {
        SealedPayload first = payloadCipher.seal("req_1", PAYLOAD);
        SealedPayload second = payloadCipher.seal("req_1", PAYLOAD);

        assertThat(second.bytes()).isEqualTo(first.bytes());
        assertThat(payloadCipher.open("req_1", second)).contains(PAYLOAD);
    }

    @Test
    void encryptsForManyThreadsAtOnce() {
        List<String> ids =
                IntStream.range(0, 5_000).mapToObj(i -> "req_" + i % 50).toList();

        List<SealedPayload> sealed = ids.parallelStream()
                .map(id -> payloadCipher.seal(id, id.getBytes(StandardCharsets.UTF_8)))
                .toList();

        assertThat(IntStream.range(0, ids.size()).boxed())
                .allSatisfy(i -> assertThat(payloadCipher.open(ids.get(i), sealed.get(i)))
                        .contains(ids.get(i).getBytes(StandardCharsets.UTF_8)));
    }
}
