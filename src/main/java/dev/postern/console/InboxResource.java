package dev.postern.console;

import dev.postern.channel.DeliveryQueries;
import dev.postern.store.StoreException;
import jakarta.ws.rs.GET;
import jakarta.ws.rs.QueryParam;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** A resource that lists the replies sent to the channel {@code inbox}, the latest first, a page at a time. */
@RequiresUser
public final class InboxResource {

    private static final int MOST = 20;

    private final DeliveryQueries book;

    InboxResource(DeliveryQueries book) {
        this.book = book;
    }

    /**
     * A page of replies.
     *
     * @param older the delivery number after which the next page begins; null on the last page
     */
    record Shown(List<DeliveryQueries.Kept> texts, @Nullable Long older) {}

    /** The replies that follow number {@code before}; the first page where that is missing. */
    @GET
    @PageTemplate("inbox")
    public Shown latest(@QueryParam("before") @Nullable Long before) throws StoreException {
        DeliveryQueries.Page<DeliveryQueries.Kept> page = book.inbox(before, MOST);
        return new Shown(page.found(), page.older());
    }
}
