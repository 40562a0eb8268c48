package dev.postern.console;

import dev.postern.budget.SpendingDimension;
import dev.postern.budget.SpendingQueries;
import dev.postern.config.HookSettings;
import dev.postern.config.MappingSettings;
import dev.postern.config.MappingSettings.Scheme;
import dev.postern.config.MappingSettings.Verify;
import dev.postern.statistics.CountQueries;
import dev.postern.statistics.CountQueries.HookTally;
import dev.postern.store.StoreException;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.ws.rs.GET;
import jakarta.ws.rs.core.Context;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.Objects;
import java.util.function.Predicate;
import java.util.function.ToLongFunction;
import org.jspecify.annotations.Nullable;

/** A resource that lists the hooks: how each is called, and what became of its requests. */
@RequiresUser
public final class HookListResource {

    private static final String PRESET = "preset ";

    private final HookSettings hooks;
    private final CountQueries queries;
    private final SpendingQueries spending;

    HookListResource(HookSettings hooks, CountQueries queries, SpendingQueries spending) {
        this.hooks = hooks;
        this.queries = queries;
        this.spending = spending;
    }

    /**
     * The hooks.
     *
     * @param address the address of all hooks, as this request has reached the console
     */
    record Hooks(String address, List<Hook> hooks) {}

    /**
     * A hook with its requests of the last day.
     *
     * @param path the path below the hook prefix; null if the mapping takes any path
     * @param mapping the id of the mapping; null for a fixed hook
     * @param preset whether the mapping is a preset's
     * @param authentication how a request is admitted, in words
     * @param curl a command that calls the hook; null if a sender has to sign
     * @param lastHour the number of admitted requests of the last hour
     * @param requests the number of those of the last day
     * @param refused the number of those of the last day with an error response of the sender's
     * @param failed the number of those of the last day with an error response of Postern's
     * @param p95Micros the time in which 95 of 100 requests of the last day have a result; null without requests
     * @param spending what the turns of its path have spent in the last day, whichever mapping led to them; null without turns
     * @param last the time of the latest request in the last seven days; null without one
     */
    record Hook(
            @Nullable String path,
            @Nullable String mapping,
            boolean preset,
            String authentication,
            @Nullable String curl,
            long lastHour,
            long requests,
            long refused,
            long failed,
            @Nullable Long p95Micros,
            @Nullable SpendingLine spending,
            @Nullable Instant last) {}

    /** The fixed hooks, then the mapped ones in the order in which they are tried. */
    @GET
    @PageTemplate("hooks")
    public Hooks all(@Context HttpServletRequest request) throws StoreException {
        String address = address(request);
        List<HookTally> tallies = queries.hooks();
        List<SpendingLine> spent = spending.since(SpendingDimension.HOOK, Duration.ofDays(1)).stream()
                .map(SpendingLine::of)
                .filter(line -> line.heartbeats() == null)
                .toList();
        List<Hook> all = new ArrayList<>();
        for (String fixed : List.of("wake", "agent")) {
            String body = fixed.equals("wake") ? "{\"text\":\"It works\"}" : "{\"message\":\"Say hello\"}";
            all.add(hook(
                    fixed,
                    null,
                    false,
                    "token",
                    curl(address + "/" + fixed, body),
                    tallies,
                    spent,
                    tally -> tally.hook().equals(fixed)));
        }
        for (MappingSettings mapping : hooks.mappings()) {
            @Nullable String path = mapping.match().path();
            @Nullable Verify verify = mapping.verify();
            all.add(hook(
                    path,
                    mapping.id(),
                    mapping.where().startsWith(PRESET),
                    authentication(verify),
                    path == null || (verify != null && verify.required()) ? null : curl(address + "/" + path, "{}"),
                    tallies,
                    spent,
                    tally -> tally.mapping().equals(mapping.id())
                            || (tally.mapping().isEmpty() && tally.hook().equals(path))));
        }
        return new Hooks(address, all);
    }

    private static Hook hook(
            @Nullable String path,
            @Nullable String mapping,
            boolean preset,
            String authentication,
            @Nullable String curl,
            List<HookTally> tallies,
            List<SpendingLine> spent,
            Predicate<HookTally> own) {
        List<HookTally> counted = tallies.stream().filter(own).toList();
        return new Hook(
                path,
                mapping,
                preset,
                authentication,
                curl,
                /* lastHour= */ sum(counted, HookTally::lastHour),
                /* requests= */ sum(counted, HookTally::lastDay),
                /* refused= */ sum(counted, HookTally::refused),
                /* failed= */ sum(counted, HookTally::failed),
                /* p95Micros= */ HookTally.p95Micros(counted),
                /* spending= */ spent.stream()
                        .filter(line -> Objects.equals(line.name(), path))
                        .findFirst()
                        .orElse(null),
                /* last= */ counted.stream()
                        .map(HookTally::latest)
                        .max(Comparator.naturalOrder())
                        .orElse(null));
    }

    private static long sum(List<HookTally> tallies, ToLongFunction<HookTally> number) {
        return tallies.stream().mapToLong(number).sum();
    }

    private static String authentication(@Nullable Verify verify) {
        if (verify == null) {
            return "token";
        }
        String scheme = verify.scheme() == Scheme.HMAC
                ? "HMAC"
                : verify.scheme().name().toLowerCase(Locale.ROOT).replace('_', '-');
        return verify.required() ? "signature (" + scheme + ")" : "token or signature (" + scheme + ")";
    }

    private static String curl(String address, String body) {
        return "curl -H \"Authorization: Bearer $TOKEN\" -d '" + body + "' " + address;
    }

    /** The address of the hooks on the host that this request names. */
    private String address(HttpServletRequest request) {
        String url = request.getRequestURL().toString();
        int path = url.indexOf('/', url.indexOf("//") + 2);
        return url.substring(0, path) + Objects.requireNonNull(request.getContextPath()) + hooks.path();
    }
}
