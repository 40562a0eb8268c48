package dev.postern.console;

import dev.postern.observe.RequestLog;
import dev.postern.observe.RequestLog.Entry;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** The latest requests of this node, and what was answered. */
final class RequestsView implements View {

    private static final int MOST = 100;

    private final RequestLog log;

    RequestsView(RequestLog log) {
        this.log = log;
    }

    /**
     * What is shown.
     *
     * @param hook only its requests; empty for all
     * @param code only requests that were answered so: a status or a word; empty for all
     * @param text only requests of which a column holds this; empty for all
     */
    record Shown(String hook, String code, String text, List<Entry> requests) {}

    @Override
    public String template() {
        return "requests";
    }

    @Override
    public Optional<Shown> show(Question question) throws UnfitException {
        String hook = or(question.parameter("hook"));
        String code = or(question.parameter("code")).toLowerCase(Locale.ROOT);
        String text = or(question.parameter("text"));
        return Optional.of(new Shown(
                hook,
                code,
                text,
                log.latest(
                        entry -> (hook.isEmpty() || entry.hook().equals(hook))
                                && (code.isEmpty() || entry.code().equals(code) || code.equals("" + entry.status()))
                                && (text.isEmpty() || holds(entry, text)),
                        MOST)));
    }

    private static boolean holds(Entry entry, String text) {
        return entry.hook().contains(text)
                || entry.mapping().contains(text)
                || entry.client().contains(text)
                || entry.code().contains(text)
                || entry.became().contains(text);
    }

    private static String or(@Nullable String value) {
        return value == null ? "" : value;
    }
}
