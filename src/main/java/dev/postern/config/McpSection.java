package dev.postern.config;

import dev.postern.config.ListTypes.CommandLine;
import dev.postern.config.ScalarTypes.Whole;
import dev.postern.config.SecretTypes.CredentialMap;
import dev.postern.config.SecretTypes.GuardedAddress;
import dev.postern.config.SettingDeclaration.Group;
import dev.postern.config.SettingDeclaration.Setting;
import dev.postern.config.SettingDeclaration.Table;
import dev.postern.model.Secret;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.regex.Pattern;

/** The section {@code mcp}: the tool servers. */
final class McpSection {

    private McpSection() {}

    /** The headers that the HTTP client refuses to send, and those that the transport sets itself. */
    private static final Set<String> OWN_HEADERS = Set.of(
            "connection",
            "content-length",
            "expect",
            "host",
            "transfer-encoding",
            "upgrade",
            "accept",
            "content-type",
            "mcp-session-id",
            "mcp-protocol-version");

    private static final Pattern PRINTABLE_ASCII = Pattern.compile("[\\x20-\\x7e]+");

    /** The environment variables that each program gets from Postern itself: see dev.postern.agent.tool. */
    private static final Set<String> OWN_VARIABLES = Set.of("postern_tool_server");

    static final Setting<List<String>> COMMAND =
            Setting.optional("command", new CommandLine(), "The program to start, and its arguments. Or else:");
    static final Setting<Map<String, Secret>> ENV = Setting.optional(
            DeclaredSettings.ENV,
            SecretTypes.environment(OWN_VARIABLES),
            "Environment variables for the command, such as a key it needs; it inherits PATH, HOME and nine others.");
    static final Setting<Secret> URL = Setting.optional(
            "url", new GuardedAddress(), "The address of a running server (streamable HTTP); never shown.");
    static final Setting<Map<String, Secret>> HEADERS = Setting.optional(
            "headers",
            new CredentialMap("a header", ScalarTypes.HEADER_NAME, PRINTABLE_ASCII, OWN_HEADERS),
            "Request headers for the url, such as Authorization.");
    static final Setting<Integer> TIMEOUT_SECONDS = Setting.of(
            "timeoutSeconds",
            new Whole(1, 3_600),
            60,
            "How long one call may take, or the server's start with the listing of its tools.");

    static final Table MCP = new Table(
            "mcp",
            "Tool servers (Model Context Protocol), by ids of your choice.",
            List.of(Group.of("server", "A tool server.", COMMAND, ENV, URL, HEADERS, TIMEOUT_SECONDS)),
            List.of());

    static Map<String, Settings.McpServer> read(SectionReader root) {
        Map<String, Settings.McpServer> servers = new LinkedHashMap<>();
        root.entries(MCP).forEach((id, entry) -> {
            if (entry.contains(COMMAND) == entry.contains(URL)) {
                entry.problem(
                        COMMAND,
                        entry.contains(URL) ? "is given beside a url" : "is missing, and so is url",
                        "write exactly one of command and url");
            }
            CommandLine.warnIfMissing(entry, COMMAND);
            check(entry, ENV, COMMAND);
            check(entry, HEADERS, URL);
            servers.put(
                    id,
                    new Settings.McpServer(
                            id,
                            entry.given(COMMAND).orElse(List.of()),
                            entry.given(ENV).orElse(Map.of()),
                            entry.given(URL).orElse(null),
                            entry.given(HEADERS).orElse(Map.of()),
                            DeclaredSettings.seconds(entry.get(TIMEOUT_SECONDS))));
        });
        return servers;
    }

    private static void check(SectionReader entry, Setting<?> given, Setting<?> goesWith) {
        if (entry.contains(given) && !entry.contains(goesWith)) {
            entry.problem(given, "goes with " + goesWith.name() + ", which is not given", "leave it out");
        }
    }
}
