package dev.postern.console;

import dev.postern.access.AuthenticationFailures;
import dev.postern.access.AuthenticationLockouts;
import dev.postern.config.ConfigurationResult.Configured;
import dev.postern.config.ConfigurationResult.Value;
import dev.postern.config.ConfigurationWarning;
import dev.postern.console.ConfigurationChecker.Findings;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.ws.rs.GET;
import jakarta.ws.rs.QueryParam;
import jakarta.ws.rs.core.Context;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** What this Postern is, what it was told to be, and whether that still holds. */
@RequiresUser
public final class SettingsResource {

    private static final int LONGEST = 300;
    private static final int MOST_CLIENTS = 50;

    private final RunningInstance runningInstance;
    private final RuntimeInfo runtimeInfo;
    private final String node;
    private final AuthenticationLockouts lockouts;
    private final InstantSource clock;
    private final CachedConfigurationCheck cachedConfigurationCheck;
    private final List<Section> sections;

    /**
     * @param node what this node is called in the database
     */
    SettingsResource(
            RunningInstance runningInstance,
            RuntimeInfo runtimeInfo,
            String node,
            AuthenticationLockouts lockouts,
            InstantSource clock) {
        this.runningInstance = runningInstance;
        this.runtimeInfo = runtimeInfo;
        this.node = node;
        this.lockouts = lockouts;
        this.clock = clock;
        this.cachedConfigurationCheck = new CachedConfigurationCheck(
                runningInstance.configured(), runningInstance.checking(), System::nanoTime);
        this.sections = sections(runningInstance.configured().values());
    }

    /**
     * What is shown.
     *
     * @param browser where the request for this comes from
     * @param lockedOut how many clients are locked out now, of the hooks and of logging in
     * @param clients those that are so for longest, some dozens of each
     * @param warnings what was to be said at the start
     * @param next what the next start would find
     * @param findings all of that, templates and scripts included; null where that was not asked for
     * @param sections the settings by their first word
     */
    record Shown(
            Program program,
            ProxyHeaders.Seen browser,
            long lockedOut,
            List<Client> clients,
            List<String> warnings,
            CachedConfigurationCheck.Next next,
            @Nullable Findings findings,
            List<Section> sections) {}

    /**
     * What runs here.
     *
     * @param server what it runs in
     * @param node what this one is called in the database
     * @param homeSource what named the home
     * @param file the configuration file, or both with {@code and} between them; null where there is none
     * @param up for how long
     */
    record Program(
            String version,
            String java,
            String server,
            String node,
            String home,
            String homeSource,
            @Nullable String file,
            String database,
            String threads,
            Instant startedAt,
            Duration up) {}

    /**
     * A client that is locked out.
     *
     * @param address as it is counted
     * @param of what it is locked out of: {@code hooks} or {@code logins}
     * @param left how long for yet
     */
    record Client(String address, String of, Duration left) {}

    /** Some settings. */
    record Section(String name, List<Line> settings) {}

    /**
     * One setting.
     *
     * @param value cut where it is long; a secret's is left out; empty where there is none
     * @param origin where it was read
     */
    record Line(String setting, String value, String origin) {}

    /**
     * The settings, and what is known of them.
     *
     * @param check anything, to have the configuration looked through; null to have that left out
     */
    @GET
    @PageTemplate("settings")
    public Shown all(@QueryParam("check") @Nullable String check, @Context HttpServletRequest request) {
        return new Shown(
                program(request),
                ProxyHeaders.seen(request),
                lockouts.count(),
                Stream.concat(clients(lockouts.hooks(), "hooks"), clients(lockouts.logins(), "logins"))
                        .toList(),
                runningInstance.configured().warnings().stream()
                        .map(ConfigurationWarning::toString)
                        .toList(),
                cachedConfigurationCheck.next(),
                check == null ? null : cachedConfigurationCheck.findings(),
                sections);
    }

    private static Stream<Client> clients(AuthenticationFailures failures, String of) {
        return failures.lockedOut(MOST_CLIENTS).stream()
                .map(client -> new Client(client.address(), of, client.left().truncatedTo(ChronoUnit.SECONDS)));
    }

    private Program program(HttpServletRequest request) {
        Configured configured = runningInstance.configured();
        Instant since = runningInstance.startedAt();
        return new Program(
                runningInstance.version(),
                System.getProperty("java.version", "unknown"),
                request.getServletContext().getServerInfo(),
                node,
                configured.home().directory().toString(),
                configured.home().source().where(),
                configured.fileNames().orElse(null),
                runtimeInfo.database(),
                runtimeInfo.threads(),
                since,
                Duration.between(since, clock.instant()).truncatedTo(ChronoUnit.SECONDS));
    }

    private static List<Section> sections(List<Value> values) {
        Map<String, List<Line>> sections = new LinkedHashMap<>();
        for (Value value : values) {
            String text = value.value();
            sections.computeIfAbsent(value.setting().split("[.\\[]", 2)[0], name -> new ArrayList<>())
                    .add(new Line(
                            value.setting(),
                            text.length() > LONGEST ? text.substring(0, LONGEST) + "…" : text,
                            value.origin().where()));
        }
        return sections.entrySet().stream()
                .map(section -> new Section(section.getKey(), section.getValue()))
                .toList();
    }
}
