package dev.postern.console;

import dev.postern.access.AuthenticationFailures;
import dev.postern.access.AuthenticationLockouts;
import dev.postern.config.ConfigurationResult.Configured;
import dev.postern.config.ConfigurationResult.Value;
import dev.postern.config.ConfigurationWarning;
import dev.postern.console.CachedConfigurationCheck.Checked;
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

/** A resource that shows this Postern's version, environment and settings, and whether the settings are still the same. */
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
     * @param node the name of this cluster node in the database
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
                runningInstance.configured(), runningInstance.checking(), clock, System::nanoTime);
        this.sections = sections(runningInstance.configured().values());
    }

    /**
     * The settings page.
     *
     * @param browser the origin of this request
     * @param lockedOut the number of clients that are locked out now, of the hooks and of the login
     * @param clients those locked out for longest, up to 50 of the hooks and 50 of the login
     * @param warnings the warnings of the start
     * @param next the configuration that the next start would find
     * @param findings its problems and warnings, templates and scripts included; null where they were not asked for
     * @param checkedAt the time of the check that has the findings; null where they were not asked for
     * @param sections the settings, grouped by their first word
     */
    record Shown(
            Program program,
            ProxyHeaders.Seen browser,
            long lockedOut,
            List<Client> clients,
            List<String> warnings,
            CachedConfigurationCheck.Next next,
            @Nullable Findings findings,
            @Nullable Instant checkedAt,
            List<Section> sections) {}

    /**
     * The program that runs here.
     *
     * @param version Postern's version
     * @param server the servlet container and its version
     * @param node the name of this cluster node in the database
     * @param homeSource the option, property or variable that named the home
     * @param file the configuration file, or both with {@code and} between them; null where there is none
     * @param up the time since the start
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
     * @param address the address or network that the failures are counted for
     * @param of the kind of request that it is locked out of: {@code hooks} or {@code logins}
     * @param left the time until it may try again
     */
    record Client(String address, String of, Duration left) {}

    /** The settings that begin with the same word. */
    record Section(String name, List<Line> settings) {}

    /**
     * A setting.
     *
     * @param value the value, cut after 300 characters; empty where there is none; a secret's is left out
     * @param origin the file or variable that the value was read from
     */
    record Line(String setting, String value, String origin) {}

    /**
     * The settings page.
     *
     * @param check any value to check the configuration with its templates and scripts; null for no check
     */
    @GET
    @PageTemplate("settings")
    public Shown all(@QueryParam("check") @Nullable String check, @Context HttpServletRequest request) {
        @Nullable Checked checked = check == null ? null : cachedConfigurationCheck.checked();
        return new Shown(
                program(request),
                ProxyHeaders.seen(request),
                lockouts.count(),
                Stream.concat(clients(lockouts.hooks(), "hooks"), clients(lockouts.logins(), "logins"))
                        .toList(),
                runningInstance.configured().warnings().stream()
                        .map(ConfigurationWarning::toString)
                        .toList(),
                checked == null ? cachedConfigurationCheck.next() : checked.next(),
                checked == null ? null : checked.findings(),
                checked == null ? null : checked.at(),
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
                /* java= */ System.getProperty("java.version", "unknown"),
                /* server= */ request.getServletContext().getServerInfo(),
                node,
                /* home= */ configured.home().directory().toString(),
                /* homeSource= */ configured.home().source().where(),
                /* file= */ configured.fileNames().orElse(null),
                runtimeInfo.database(),
                runtimeInfo.threads(),
                /* startedAt= */ since,
                /* up= */ Duration.between(since, clock.instant()).truncatedTo(ChronoUnit.SECONDS));
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
