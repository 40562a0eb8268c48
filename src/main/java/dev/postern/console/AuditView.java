package dev.postern.console;

import dev.postern.store.StoreException;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** What operators had done, the latest first, a page at a time. */
final class AuditView implements View {

    private static final int MOST = 50;

    private final AuditLog log;

    AuditView(AuditLog log) {
        this.log = log;
    }

    /**
     * What is shown.
     *
     * @param older the entry after which the next page begins; null on the last
     */
    record Shown(List<AuditLog.Entry> acts, @Nullable String older) {}

    @Override
    public String template() {
        return "audit";
    }

    @Override
    public Optional<Shown> show(Question question) throws StoreException, UnfitException {
        Cut<AuditLog.Entry> page = Cut.of(log.latest(question.parameter("before"), MOST + 1), MOST);
        return Optional.of(new Shown(page.lines(), page.after(AuditLog.Entry::id)));
    }
}
