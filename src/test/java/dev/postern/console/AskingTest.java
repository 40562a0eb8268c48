package dev.postern.console;

import static org.assertj.core.api.Assertions.assertThat;

import dev.postern.store.StoreException;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

class AskingTest {

    @Test
    void asksNoMoreOnceThereWasNoAnswer() {
        Asking asking = new Asking();
        AtomicInteger asked = new AtomicInteger();

        assertThat(asking.about(() -> 1)).isEqualTo(1);
        assertThat(asking.isAnswered()).isTrue();
        Integer unknown = asking.about(() -> {
            asked.incrementAndGet();
            throw new StoreException("it is away");
        });
        assertThat(unknown).isNull();
        assertThat(asking.about(asked::incrementAndGet)).isNull();

        assertThat(asking.isAnswered()).isFalse();
        assertThat(asked).hasValue(1);
    }
}
