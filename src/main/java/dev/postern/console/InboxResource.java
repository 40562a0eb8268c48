package dev.postern.console;

import dev.postern.channel.DeliveryQueries;
import dev.postern.store.StoreException;
import jakarta.ws.rs.GET;
import jakarta.ws.rs.QueryParam;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** What was sent to the channel {@code inbox}, the latest first, a page at a time. */
@RequiresUser
public final class InboxResource {

    private static final int MOST = 20;

    private final DeliveryQueries book;

    InboxResource(DeliveryQueries book) {
        this.book = book;
    }

    /**
     * What is shown.
     *
     * @param older the number after which the next page begins; null on the last
     */
    record Shown(List<DeliveryQueries.Kept> texts, @Nullable Long older) {}

    /** The texts that follow number {@code before}; the first page where there is none. */
    @GET
    @PageTemplate("inbox")
    public Shown latest(@QueryParam("before") @Nullable Long before) throws StoreException {
        ResultPage<DeliveryQueries.Kept> page = ResultPage.of(book.inbox(before, MOST + 1), MOST);
        return new Shown(page.lines(), page.after(DeliveryQueries.Kept::number));
    }
}
