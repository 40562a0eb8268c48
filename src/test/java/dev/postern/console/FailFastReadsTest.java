package dev.postern.console;

import static org.assertj.core.api.Assertions.assertThat;

import dev.postern.store.StoreException;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

class FailFastReadsTest {

    @Test
    void asksNoMoreOnceThereWasNoAnswer() {
        FailFastReads failFastReads = new FailFastReads();
        AtomicInteger asked = new AtomicInteger();

        assertThat(failFastReads.valueOrNull(() -> 1)).isEqualTo(1);
        assertThat(failFastReads.isDatabaseAnswering()).isTrue();
        Integer unknown = failFastReads.valueOrNull(() -> {
            asked.incrementAndGet();
            throw new StoreException("it is away");
        });
        assertThat(unknown).isNull();
        assertThat(failFastReads.valueOrNull(asked::incrementAndGet)).isNull();

        assertThat(failFastReads.isDatabaseAnswering()).isFalse();
        assertThat(asked).hasValue(1);
    }
}
