package dev.postern.console;

import dev.postern.store.StoreException;
import jakarta.ws.rs.GET;
import jakarta.ws.rs.QueryParam;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** A resource that lists the operators' actions, the latest first, a page at a time. */
@RequiresUser
public final class AuditResource {

    private static final int MOST = 50;

    private final AuditLog log;

    AuditResource(AuditLog log) {
        this.log = log;
    }

    /**
     * A page of the audit log.
     *
     * @param older the id of the entry after which the next page begins; null on the last page
     */
    record Shown(List<AuditLog.Entry> acts, @Nullable String older) {}

    /** The entries that follow the one with the id {@code before}; the first page where that is missing. */
    @GET
    @PageTemplate("audit")
    public Shown latest(@QueryParam("before") @Nullable String before) throws StoreException {
        @Nullable String place = ParameterConverterProvider.idBefore("act", before);
        ResultPage<AuditLog.Entry> page = ResultPage.of(log.latest(place, MOST + 1), MOST);
        return new Shown(page.lines(), page.after(AuditLog.Entry::id));
    }
}
