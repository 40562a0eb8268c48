package dev.postern.config;

import dev.postern.config.ConfigurationNode.Fields;
import dev.postern.config.ConfigurationNode.Form;
import dev.postern.config.ConfigurationNode.Items;
import dev.postern.config.ConfigurationNode.Scalar;
import dev.postern.config.ConfigurationResult.Configured;
import dev.postern.config.ConfigurationResult.Rejected;
import dev.postern.model.Secret;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.stream.Stream;

/**
 * A plan for writing a sender with a new token into a home. Before anything is written, the new content is read as a start
 * would read it. It has to work together with the existing configuration.
 */
public sealed interface SenderUpdatePlan
        permits SenderUpdate, SenderUpdatePlan.InvalidSender, SenderUpdatePlan.MissingHooks {

    /**
     * A plan that is rejected, because the configuration would not work with that sender.
     *
     * @param problems every problem; never empty
     */
    record InvalidSender(List<ConfigurationProblem> problems) implements SenderUpdatePlan {

        public InvalidSender {
            problems = List.copyOf(problems);
        }
    }

    /** A plan that is rejected, because a new sender has to name its hooks and the settings do not. */
    record MissingHooks() implements SenderUpdatePlan {}

    /**
     * Plans an update of the process's home; nothing is written. A sender that the home's {@code senders.yaml} has keeps its
     * settings, unless they are among {@code settings}, and the later of its tokens. A secret in an environment variable
     * that this process lacks is a warning: the process that serves may have it.
     *
     * @param id the sender's id
     * @param settings its settings, by their names below {@code senders.<id>}; the items of a list with commas between them
     */
    static SenderUpdatePlan of(ProcessEnvironment environment, String id, Map<String, String> settings) {
        ConfigurationProblems problems = new ConfigurationProblems();
        Optional<HomeDirectory> home = new HomeDirectoryFinder(environment, problems).find();
        if (home.isEmpty()) {
            return rejected(problems.rejected());
        }
        ValueOrigin command = new ValueOrigin("token new");
        Fields senders = SendersFile.in(home.get().directory()).read(problems).orElseGet(() -> Fields.empty(command));
        if (!problems.isEmpty()) {
            return rejected(problems.rejected());
        }
        Fields sender = senders.value(id) instanceof Fields known ? known : Fields.empty(command);
        Secret token = SenderToken.create();
        List<ConfigurationNode> hashes = new ArrayList<>(hashes(sender));
        boolean retires = hashes.size() == SendersSection.MAX_TOKENS;
        if (retires) {
            hashes.remove(0);
        }
        boolean adds = !hashes.isEmpty();
        hashes.add(new Scalar(SenderToken.hash(token), Form.TEXT, command));
        Fields next = sender.with(SendersSection.TOKEN_SHA256.name(), new Items(hashes, command));
        for (SettingDeclaration each : SendersSection.SENDER.members()) {
            String value = settings.get(each.name());
            if (value != null) {
                next = next.with(each.name(), node(each, new Scalar(value, Form.LOOSE, option(each.name()))));
            }
        }
        Fields all = senders.with(id, next);
        ConfigurationResult outcome = new ConfigurationLoader(environment).with(all, home.get(), problems);
        if (outcome instanceof Rejected rejected
                && !rejected.problems().stream().allMatch(SecretReferences::isOfUnsetVariable)) {
            boolean named = next.value(SendersSection.HOOKS.name()) != null;
            String hooks = SettingNames.join(SendersSection.SENDERS.name() + "." + id, SendersSection.HOOKS.name());
            return !named
                            && rejected.problems().stream()
                                    .anyMatch(problem -> problem.setting().equals(hooks))
                    ? new MissingHooks()
                    : rejected(rejected);
        }
        SenderSettings planned =
                Objects.requireNonNull(settings(outcome).senders().get(id));
        String name = SendersSection.SENDERS.name() + "." + id + ".";
        List<ConfigurationWarning> warnings = Stream.concat(
                        unsetVariables(outcome),
                        outcome.warnings().stream().filter(warning -> (warning.setting() + ".").startsWith(name)))
                .toList();
        return planned.isActive(Instant.now())
                ? new SenderUpdate(
                        environment,
                        home.get(),
                        id,
                        settings,
                        token,
                        SenderUpdate.Tokens.of(adds, retires),
                        all,
                        warnings)
                : new InvalidSender(List.of(unusable(planned, next.origin())));
    }

    private static Settings settings(ConfigurationResult outcome) {
        return outcome instanceof Configured configured
                ? configured.settings()
                : ((Rejected) outcome).readable().orElseThrow();
    }

    private static Stream<ConfigurationWarning> unsetVariables(ConfigurationResult outcome) {
        return outcome instanceof Rejected rejected
                ? rejected.problems().stream()
                        .map(problem -> new ConfigurationWarning(
                                problem.setting(),
                                problem.origin(),
                                problem.wrong() + " here; the one that serves needs it"))
                : Stream.empty();
    }

    /** The problem of a sender whose new token would not count. */
    private static ConfigurationProblem unusable(SenderSettings sender, ValueOrigin origin) {
        return sender.disabled()
                ? new ConfigurationProblem(
                        SendersSection.SENDERS.name() + "." + sender.id() + "." + SendersSection.DISABLED.name(),
                        origin,
                        "is true, so that a token would not work",
                        "make it false in senders.yaml, or remove it")
                : new ConfigurationProblem(
                        SendersSection.SENDERS.name() + "." + sender.id() + "." + SendersSection.EXPIRES.name(),
                        origin,
                        "has passed, so that a token would not work",
                        "give a later date with --expires");
    }

    private static InvalidSender rejected(Rejected rejected) {
        return new InvalidSender(rejected.problems());
    }

    private static List<ConfigurationNode> hashes(Fields sender) {
        ConfigurationNode hashes = sender.value(SendersSection.TOKEN_SHA256.name());
        if (hashes == null) {
            return List.of();
        }
        return hashes instanceof Items items ? items.nodes() : List.of(hashes);
    }

    /** The node of {@code value}, as a file would hold it: a list where the setting is one. */
    private static ConfigurationNode node(SettingDeclaration declaration, Scalar value) {
        return declaration instanceof SettingDeclaration.Setting<?> setting
                        && setting.type() instanceof ListTypes.TextList
                ? ListTypes.items(value)
                        .<ConfigurationNode>map(items -> new Items(items, value.origin()))
                        .orElse(value)
                : value;
    }

    private static ValueOrigin option(String setting) {
        return new ValueOrigin("--" + setting.replaceAll("(?=[A-Z])", "-").toLowerCase(Locale.ROOT));
    }
}
