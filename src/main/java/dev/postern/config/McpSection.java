package dev.postern.config;

import dev.postern.config.ListKinds.CommandLine;
import dev.postern.config.Member.Group;
import dev.postern.config.Member.Setting;
import dev.postern.config.Member.Table;
import dev.postern.config.ScalarKinds.Address;
import dev.postern.model.Secret;
import java.net.URI;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** {@code mcp}: the tool servers. */
final class McpSection {

    private McpSection() {}

    static final Setting<List<String>> COMMAND =
            Setting.optional("command", new CommandLine(), "The program to start, and its arguments. Or else:");
    static final Setting<URI> URL = Setting.optional("url", new Address(false), "The address of a running server.");
    static final Setting<Map<String, Secret>> HEADERS = Setting.optional(
            "headers", new SecretKinds.CredentialMap(), "Request headers for the url, such as Authorization.");

    static final Table MCP = new Table(
            "mcp",
            "Tool servers (Model Context Protocol), by ids of your choice. This version does not use them yet.",
            List.of(Group.of("server", "A tool server.", COMMAND, URL, HEADERS)),
            List.of());

    static Map<String, Settings.McpServer> read(Section root) {
        Map<String, Settings.McpServer> servers = new LinkedHashMap<>();
        root.entries(MCP).forEach((id, entry) -> {
            if (entry.gives(COMMAND) == entry.gives(URL)) {
                entry.problem(
                        COMMAND,
                        entry.gives(URL) ? "is given beside a url" : "is missing, and so is url",
                        "write exactly one of command and url");
            }
            servers.put(
                    id,
                    new Settings.McpServer(
                            id,
                            entry.given(COMMAND).orElse(List.of()),
                            entry.given(URL).orElse(null),
                            entry.given(HEADERS).orElse(Map.of())));
        });
        return servers;
    }
}
