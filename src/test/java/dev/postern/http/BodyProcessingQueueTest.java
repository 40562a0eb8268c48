package dev.postern.http;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.postern.http.BodyProcessingQueue.Place;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

class BodyProcessingQueueTest {

    private final BodyProcessingQueue queue = new BodyProcessingQueue(10);
    private final List<String> begun = new ArrayList<>();

    @Test
    void keepsBackWhatPassesTheMostUntilOthersHaveEnded() {
        Place first = enter("first", 6);
        enter("second", 6);
        enter("third", 1);

        assertThat(begun).containsExactly("first");

        first.end();

        assertThat(begun).containsExactly("first", "second", "third");
    }

    @Test
    void processesALargerBodyAlone() {
        Place small = enter("small", 1);
        Place large = enter("large", 11);
        enter("next", 1);
        assertThat(begun).containsExactly("small");

        small.end();
        assertThat(begun).containsExactly("small", "large");

        large.end();
        assertThat(begun).containsExactly("small", "large", "next");
    }

    @Test
    void keepsTheOrderOfWaitingRequests() {
        Place first = queue.place(10);
        assertThat(first.tryEnter()).isTrue();
        enter("waits", 10);
        Place late = queue.place(1);

        assertThat(late.tryEnter()).isFalse();

        late.end();
        first.end();
        assertThat(begun).containsExactly("waits");
    }

    @Test
    void endsAPlaceOnce() {
        Place first = enter("first", 10);
        enter("second", 10);
        enter("third", 10);

        first.end();
        first.end();

        assertThat(begun).containsExactly("first", "second");
    }

    @Test
    void forgetsRequestThatEndsWhileItWaits() {
        Place first = enter("first", 10);
        Place gone = enter("gone", 10);
        enter("third", 10);

        gone.end();
        first.end();

        assertThat(begun).containsExactly("first", "third");
    }

    @Test
    void doesNotBeginWhatHasEnded() {
        Place gone = queue.place(1);
        gone.end();

        gone.enter(() -> begun.add("gone"));

        assertThat(begun).isEmpty();
        assertThat(queue.place(10).tryEnter()).isTrue();
    }

    @Test
    void beginsTheNextAfterOneThatFails() {
        Place first = enter("first", 10);
        queue.place(5).enter(() -> {
            throw new LinkageError("fails");
        });
        enter("third", 10);

        assertThatThrownBy(first::end).isInstanceOf(LinkageError.class);

        assertThat(begun).containsExactly("first", "third");
    }

    private Place enter(String name, int size) {
        Place place = queue.place(size);
        place.enter(() -> begun.add(name));
        return place;
    }
}
