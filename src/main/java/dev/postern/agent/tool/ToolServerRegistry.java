package dev.postern.agent.tool;

import dev.langchain4j.agent.tool.ToolSpecification;
import dev.postern.agent.ToolApprovals.Decided;
import dev.postern.agent.ToolPermissions;
import dev.postern.agent.TurnCancellation;
import dev.postern.agent.TurnJournal;
import dev.postern.agent.TurnRecorder;
import dev.postern.config.Settings;
import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.LongSupplier;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * A registry of the configured tool servers. A server is started or connected to when a turn first needs it, and kept for
 * later turns until {@link #close}.
 */
public final class ToolServerRegistry implements ToolboxFactory, AutoCloseable {

    /** The most tools of one turn. */
    static final int MAX_TOOLS = 128;

    private static final Logger LOG = System.getLogger(ToolServerRegistry.class.getName());

    private final Map<String, ToolServer> servers = new LinkedHashMap<>();
    /** The names of {@code approve} that a warning was logged for. They are settings, so that they are few. */
    private final Set<String> unknownApprovals = ConcurrentHashMap.newKeySet();

    /**
     * Creates a registry without connections.
     *
     * @param settings the settings below {@code mcp}
     * @param work the home's directory for files that can be created again: programs are started in its {@code tools}
     *     directory
     * @param threads the prefix of the threads' names
     */
    public ToolServerRegistry(Map<String, Settings.McpServer> settings, Path work, String threads) {
        this(settings, work, threads, System::nanoTime);
    }

    /**
     * Creates a registry without connections.
     *
     * @param nanos as {@link System#nanoTime}
     */
    ToolServerRegistry(Map<String, Settings.McpServer> settings, Path work, String threads, LongSupplier nanos) {
        settings.forEach((id, server) -> {
            ToolThreadFactory own = new ToolThreadFactory(threads + "-tools-" + id);
            servers.put(id, new ToolServer(server, work.resolve("tools"), own, nanos));
        });
    }

    @Override
    public Toolbox open(
            ToolPermissions access, TurnJournal journal, TurnCancellation turnCancellation, TurnRecorder log) {
        PendingCall pendingCall = new PendingCall(turnCancellation);
        if (access.isNone()) {
            return new TurnToolbox(Map.of(), Optional.empty(), access, journal, pendingCall, log);
        }
        Listed listed = listed(access, journal.approvals().pending(), pendingCall, log);
        if (listed.all) {
            noteUnknown(access, listed.found.keySet(), log);
        }
        return new TurnToolbox(
                named(listed, access, log), Optional.ofNullable(listed.obstacle), access, journal, pendingCall, log);
    }

    /** The tools that the servers of one turn have listed. */
    private static final class Listed {

        private final Map<ToolNames.Own, TurnToolbox.Tool> found = new LinkedHashMap<>();
        private boolean all = true;
        private @Nullable String obstacle;
    }

    /**
     * @param approved the approved calls of the turn that were not begun
     */
    private Listed listed(ToolPermissions access, List<Decided> approved, PendingCall pendingCall, TurnRecorder log) {
        Map<String, Decided> needed = new HashMap<>();
        approved.forEach(each -> needed.putIfAbsent(each.server(), each));
        Map<ToolServer, CompletableFuture<ToolServerConnection>> asked = new LinkedHashMap<>();
        for (String id : access.servers()) {
            ToolServer server = servers.get(id);
            if (server != null) {
                asked.put(server, needed.containsKey(id) ? server.relisted() : server.listed());
            }
        }
        CallDeadline patience = pendingCall.nextDeadline();
        Listed listed = new Listed();
        asked.forEach((server, answer) -> {
            try {
                add(server, pendingCall.await(answer, patience), listed, log);
            } catch (ToolServerException why) {
                addWithout(server, why, listed, log);
                listed.obstacle = listed.obstacle == null ? obstacle(needed.get(server.id()), why) : listed.obstacle;
            }
        });
        return listed;
    }

    private static @Nullable String obstacle(@Nullable Decided needed, ToolServerException why) {
        return needed == null
                ? null
                : "the approved call of " + needed.server() + "/" + needed.tool() + " was not made: the tool server "
                        + needed.server() + " " + why.getMessage();
    }

    /** Adds the tools of the last listing if {@code server} does not list them now. */
    private static void addWithout(ToolServer server, ToolServerException why, Listed listed, TurnRecorder log) {
        ToolServerConnection before = server.currentConnection();
        if (before != null && why.scope() != ToolServerException.Scope.TURN) {
            add(server, before, listed, log);
            return;
        }
        listed.all = false;
        if (why.scope() != ToolServerException.Scope.TURN) {
            log.addNote("The tool server " + server.id() + " could not be reached; its tools were left out.");
        }
    }

    private static void add(ToolServer server, ToolServerConnection connection, Listed listed, TurnRecorder log) {
        if (connection.leftOut() > 0) {
            log.addNote("The tool server " + server.id() + " has " + connection.leftOut()
                    + " tools whose description is too long or cannot be read; they were left out.");
        }
        if (connection.isCut()) {
            log.addNote("The tool server " + server.id() + " lists more than " + ToolListPages.MAX_TOOLS + " tools, "
                    + ToolListPages.MAX_PAGES + " pages or " + ToolListPages.MAX_BYTES / 1024 / 1024
                    + " MiB; the last tools were left out.");
        }
        for (ToolSpecification tool : connection.tools()) {
            listed.found.putIfAbsent(
                    new ToolNames.Own(server.id(), tool.name()), new TurnToolbox.Tool(tool, server, tool.name()));
        }
    }

    private static Map<String, TurnToolbox.Tool> named(Listed listed, ToolPermissions access, TurnRecorder log) {
        List<ToolNames.Own> permitted = listed.found.keySet().stream()
                .filter(own -> access.permits(own.server(), own.tool()))
                .toList();
        if (permitted.size() > MAX_TOOLS) {
            log.addNote("The turn may use " + permitted.size() + " tools; those after the first " + MAX_TOOLS
                    + " were left out.");
            permitted = permitted.subList(0, MAX_TOOLS);
        }
        Map<String, TurnToolbox.Tool> named = new LinkedHashMap<>();
        ToolNames.of(permitted).forEach((own, name) -> {
            TurnToolbox.Tool tool = listed.found.get(own);
            if (tool != null) {
                ToolSpecification told =
                        tool.specification().toBuilder().name(name).build();
                named.put(name, new TurnToolbox.Tool(told, tool.server(), tool.name()));
            }
        });
        return named;
    }

    private void noteUnknown(ToolPermissions access, Set<ToolNames.Own> found, TurnRecorder log) {
        Set<String> known = new LinkedHashSet<>();
        for (ToolNames.Own own : found) {
            known.add(own.tool());
            known.add(own.server() + "/" + own.tool());
        }
        Stream.of(access.agent(), access.turn(), Optional.of(access.approve()))
                .flatMap(Optional::stream)
                .flatMap(List::stream)
                .filter(name -> !known.contains(name))
                .distinct()
                .forEach(name -> log.addNote("No tool server of the agent has a tool [" + name + "]."));
        access.approve().stream()
                .filter(name -> !known.contains(name) && unknownApprovals.add(name))
                .forEach(name -> LOG.log(
                        Level.WARNING,
                        "approve names [{0}], but no tool server of the agent has a tool of that name:"
                                + " if another tool is meant, its calls wait for no operator",
                        name));
    }

    /**
     * Ends every connection, every program with all that it has started, and every thread. An error in one does not stop the
     * others.
     */
    @Override
    public void close() {
        for (ToolServer server : servers.values()) {
            try {
                server.close();
            } catch (RuntimeException e) {
                // Its message may contain the server's address.
                LOG.log(
                        Level.WARNING,
                        "Tool server [{0}] did not close cleanly: {1}",
                        server.id(),
                        e.getClass().getSimpleName());
            }
        }
    }
}
