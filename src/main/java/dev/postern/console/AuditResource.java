package dev.postern.console;

import dev.postern.store.StoreException;
import jakarta.ws.rs.GET;
import jakarta.ws.rs.QueryParam;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** What operators had done, the latest first, a page at a time. */
@RequiresUser
public final class AuditResource {

    private static final int MOST = 50;

    private final AuditLog log;

    AuditResource(AuditLog log) {
        this.log = log;
    }

    /**
     * What is shown.
     *
     * @param older the entry after which the next page begins; null on the last
     */
    record Shown(List<AuditLog.Entry> acts, @Nullable String older) {}

    /** The entries that follow the one called {@code before}; the first page where there is none. */
    @GET
    @PageTemplate("audit")
    public Shown latest(@QueryParam("before") @Nullable String before) throws StoreException {
        ResultPage<AuditLog.Entry> page = ResultPage.of(log.latest(before, MOST + 1), MOST);
        return new Shown(page.lines(), page.after(AuditLog.Entry::id));
    }
}
