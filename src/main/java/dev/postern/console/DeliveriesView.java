package dev.postern.console;

import dev.postern.channel.DeliveryBook;
import dev.postern.model.DeliveryState;
import dev.postern.store.StoreException;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** What was sent, or could not be, the latest first, a page at a time. */
final class DeliveriesView implements View {

    private static final int MOST = 50;

    /** A delivery is never in the state {@code NONE}. */
    private static final DeliveryState[] STATES = {
        DeliveryState.PENDING, DeliveryState.DELIVERED, DeliveryState.SUPPRESSED, DeliveryState.FAILED
    };

    private final DeliveryBook book;

    DeliveriesView(DeliveryBook book) {
        this.book = book;
    }

    /**
     * What is shown.
     *
     * @param states all that a delivery can be in
     * @param state only deliveries in it; null for all
     * @param older the number after which the next page begins; null on the last
     */
    record Shown(
            List<DeliveryState> states,
            @Nullable DeliveryState state,
            @Nullable String channel,
            List<DeliveryBook.Line> deliveries,
            @Nullable Long older) {}

    @Override
    public String template() {
        return "deliveries";
    }

    @Override
    public Optional<Shown> show(Question question) throws StoreException, UnfitException {
        DeliveryBook.Filter filter = new DeliveryBook.Filter(
                question.choice("state", STATES, DeliveryState::wire),
                question.parameter("channel"),
                question.number("before"));
        Cut<DeliveryBook.Line> page = Cut.of(book.latest(filter, MOST + 1), MOST);
        return Optional.of(new Shown(
                List.of(STATES),
                filter.state(),
                filter.channel(),
                page.lines(),
                page.after(DeliveryBook.Line::number)));
    }
}
