package dev.postern.console;

import dev.postern.channel.DeliveryBook;
import dev.postern.store.StoreException;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** What was sent to the channel {@code inbox}, the latest first, a page at a time. */
final class InboxView implements View {

    private static final int MOST = 20;

    private final DeliveryBook book;

    InboxView(DeliveryBook book) {
        this.book = book;
    }

    /**
     * What is shown.
     *
     * @param older the number after which the next page begins; null on the last
     */
    record Shown(List<DeliveryBook.Kept> texts, @Nullable Long older) {}

    @Override
    public String template() {
        return "inbox";
    }

    @Override
    public Optional<Shown> show(Question question) throws StoreException, UnfitException {
        Cut<DeliveryBook.Kept> page = Cut.of(book.inbox(question.number("before"), MOST + 1), MOST);
        return Optional.of(new Shown(page.lines(), page.after(DeliveryBook.Kept::number)));
    }
}
