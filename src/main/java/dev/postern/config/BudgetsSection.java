package dev.postern.config;

import dev.postern.config.BudgetSettings.Scope;
import dev.postern.config.BudgetSettings.Unit;
import dev.postern.config.BudgetSettings.WhenSpent;
import dev.postern.config.ScalarTypes.Choice;
import dev.postern.config.ScalarTypes.Text;
import dev.postern.config.ScalarTypes.Whole;
import dev.postern.config.SettingDeclaration.Group;
import dev.postern.config.SettingDeclaration.Setting;
import dev.postern.config.SettingDeclaration.Table;
import java.math.BigDecimal;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** The section {@code budgets}: how much turns may use in a rolling window, and what happens when that is spent. */
final class BudgetsSection {

    private BudgetsSection() {}

    private static final int MOST = 2_000_000_000;

    static final Setting<String> HOOK = Setting.optional(
            "hook", new Text("a hook such as agent or github"), "The hook that the turn's request came by.");
    static final Setting<String> SENDER =
            Setting.optional("sender", new Text("a sender's id"), "The sender whose own token admitted the request.");
    static final Setting<String> AGENT =
            Setting.optional("agent", new Text("an agent's id"), "The agent that takes the turn.");
    static final Setting<String> MODEL =
            Setting.optional("model", new Text("<provider>/<model>", ListTypes.MODEL_ID), "The model that is asked.");
    static final Setting<String> PROVIDER =
            Setting.optional("provider", new Text("a provider's id"), "The provider of the model that is asked.");
    static final Group FOR = Group.of(
            "for",
            "The turns that count: those with all of these. Left out: all turns, heartbeats included.",
            HOOK,
            SENDER,
            AGENT,
            MODEL,
            PROVIDER);

    static final Setting<Integer> RUNS = Setting.optional(
            "runs", new Whole(1, MOST), "The most turns that begin in a window; or one of the next three.");
    static final Setting<Integer> INPUT_TOKENS =
            Setting.optional("inputTokens", new Whole(1, MOST), "The most input tokens in a window.");
    static final Setting<Integer> OUTPUT_TOKENS =
            Setting.optional("outputTokens", new Whole(1, MOST), "The most output tokens in a window.");
    static final Setting<BigDecimal> COST = Setting.optional(
            "cost", new PriceTypes.Amount(), "The most cost in a window, in the currency of providers.<id>.prices.");
    static final Setting<Duration> PER = Setting.needed(
            "per",
            new DurationType(Duration.ofSeconds(1), Duration.ofDays(400), false),
            "The length of the window, which rolls: what was used longer ago does not count.");
    static final Setting<String> WHEN_SPENT = Setting.of(
            "whenSpent",
            new Choice("hold", "refuse", "fail"),
            "hold",
            "Turns wait for room in the window (hold), requests are answered 429 (refuse), or runs fail (fail).");
    static final Setting<Integer> WARN_AT = Setting.of(
            "warnAt",
            new ScalarTypes.Percent(),
            "80%",
            "The share of the limit at which the main session and the console are warned, once a window.");

    static final Group BUDGET =
            Group.of("budget", "A budget.", FOR, RUNS, INPUT_TOKENS, OUTPUT_TOKENS, COST, PER, WHEN_SPENT, WARN_AT);

    static final Table BUDGETS = new Table(
            "budgets",
            "How much turns may use in a rolling window, by ids of your choice.",
            List.of(BUDGET),
            List.of());

    private static final List<Setting<?>> LIMITS = List.of(RUNS, INPUT_TOKENS, OUTPUT_TOKENS, COST);

    /** What a budget may be for. */
    record Known(
            List<@Nullable String> hooks,
            Collection<String> senders,
            List<String> agents,
            Map<String, Settings.Provider> providers) {}

    /** Reads {@code budgets}. */
    static Map<String, BudgetSettings> read(SectionReader root, Known known) {
        Map<String, BudgetSettings> budgets = new LinkedHashMap<>();
        root.entries(BUDGETS).forEach((id, entry) -> {
            if (entry.isMap()) {
                budget(id, entry, known).ifPresent(budget -> budgets.put(id, budget));
            }
        });
        return budgets;
    }

    private static Optional<BudgetSettings> budget(String id, SectionReader entry, Known known) {
        Scope scope = scope(entry.section(FOR), known);
        List<Setting<?>> given = LIMITS.stream().filter(entry::contains).toList();
        if (given.size() != 1) {
            entry.problem(
                    given.isEmpty() ? RUNS : given.get(1),
                    given.isEmpty()
                            ? "is missing, and so are inputTokens, outputTokens and cost"
                            : "is given beside " + given.get(0).name(),
                    "write one of runs, inputTokens, outputTokens and cost");
        }
        Optional<Limit> limit = Stream.of(
                        entry.given(RUNS).map(most -> new Limit(Unit.RUNS, most)),
                        entry.given(INPUT_TOKENS).map(most -> new Limit(Unit.INPUT_TOKENS, most)),
                        entry.given(OUTPUT_TOKENS).map(most -> new Limit(Unit.OUTPUT_TOKENS, most)),
                        entry.given(COST).map(most -> new Limit(Unit.COST, millionths(entry, most))))
                .flatMap(Optional::stream)
                .findFirst();
        if (entry.contains(COST) && known.providers().values().stream().noneMatch(each -> isPriced(each, scope))) {
            entry.problem(
                    COST,
                    "is never reached, since no model that counts has a price",
                    "set providers.<id>.prices, or limit tokens");
        }
        Optional<Duration> per = entry.given(PER);
        return limit.isEmpty() || per.isEmpty()
                ? Optional.empty()
                : Optional.of(new BudgetSettings(
                        id,
                        scope,
                        limit.get().unit(),
                        limit.get().most(),
                        per.get(),
                        WhenSpent.of(entry.get(WHEN_SPENT)),
                        entry.get(WARN_AT)));
    }

    /** Whether {@code provider} has a price of a model whose turns may count. */
    private static boolean isPriced(Settings.Provider provider, Scope scope) {
        return provider.prices().keySet().stream()
                .map(model -> provider.id() + "/" + model)
                .anyMatch(model -> scope.covers(
                        scope.hook(), scope.sender(), Objects.requireNonNullElse(scope.agent(), ""), model));
    }

    private record Limit(Unit unit, long most) {}

    private static long millionths(SectionReader entry, BigDecimal cost) {
        if (cost.signum() == 0) {
            entry.problem(COST, "is 0, so that no turn could begin", "write the most cost in a window");
        }
        return cost.movePointRight(Unit.COST.decimalPlaces()).longValueExact();
    }

    private static Scope scope(SectionReader section, Known known) {
        Optional<String> hook = section.given(HOOK);
        if (hook.equals(Optional.of("wake"))) {
            section.problem(
                    HOOK,
                    "is [wake], whose requests begin no turn of their own",
                    "leave it out and name the agent, whose heartbeats count then");
        } else if (hook.isPresent()
                && !known.hooks().contains(null)
                && !known.hooks().contains(hook.get())) {
            List<String> paths = known.hooks().stream()
                    .filter(Objects::nonNull)
                    .map(String::valueOf)
                    .toList();
            section.problem(
                    HOOK, "is [" + hook.get() + "], which is no hook", AgentsSection.suggest(hook.get(), paths));
        }
        check(section, SENDER, "sender", known.senders());
        check(section, AGENT, "agent", known.agents());
        check(section, PROVIDER, "provider", known.providers().keySet());
        Optional<String> model = section.given(MODEL);
        String ofModel = model.map(id -> id.split("/", 2)[0]).orElse("");
        if (model.isPresent() && !known.providers().containsKey(ofModel)) {
            section.problem(
                    MODEL,
                    "is [" + model.get() + "], whose provider is not configured",
                    AgentsSection.suggest(ofModel, known.providers().keySet()));
        }
        return new Scope(
                hook.orElse(null),
                section.given(SENDER).orElse(null),
                section.given(AGENT).orElse(null),
                model.orElse(null),
                section.given(PROVIDER).orElse(null));
    }

    private static void check(SectionReader section, Setting<String> setting, String noun, Collection<String> known) {
        section.given(setting)
                .filter(id -> !known.contains(id))
                .ifPresent(id -> section.problem(
                        setting, "is [" + id + "], which is no " + noun, AgentsSection.suggest(id, known)));
    }

    /** The hooks whose requests may begin turns: agent, and those of mappings; null among them where a mapping takes any path. */
    static List<@Nullable String> hooks(HookSettings hooks) {
        Set<@Nullable String> paths = new LinkedHashSet<>(List.of("agent"));
        hooks.mappings().forEach(mapping -> paths.add(mapping.match().path()));
        return new ArrayList<>(paths);
    }
}
