package dev.postern.agent.tool;

import com.fasterxml.jackson.databind.node.ObjectNode;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CountDownLatch;

/**
 * A tool server that is a program. Its arguments make it misbehave: {@code dies} at its start, {@code mute} writes nothing,
 * {@code deaf} reads nothing once it has listed its tools, {@code endless} writes a line without an end, {@code junk} writes
 * text that is no message, {@code strange} writes unexpected messages.
 */
public final class ToolServerProgram {

    private ToolServerProgram() {}

    /** The command that starts it. */
    static List<String> command(String... flags) {
        List<String> command = new ArrayList<>(List.of(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-XX:TieredStopAtLevel=1",
                "-Xmx64m",
                "-cp",
                System.getProperty("java.class.path"),
                ToolServerProgram.class.getName()));
        command.addAll(List.of(flags));
        return command;
    }

    public static void main(String[] args) throws IOException, InterruptedException {
        Set<String> flags = Set.of(args);
        PrintStream out = new PrintStream(System.out, false, StandardCharsets.UTF_8);
        System.err.println("private words on standard error");
        if (flags.contains("dies")) {
            System.exit(1);
        }
        while (flags.contains("endless")) {
            out.print("x".repeat(8192));
        }
        SampleTools tools = new SampleTools(flags);
        BufferedReader in = new BufferedReader(new InputStreamReader(System.in, StandardCharsets.UTF_8));
        for (String line = in.readLine(); line != null; line = in.readLine()) {
            if (flags.contains("mute")) {
                continue;
            }
            if (flags.contains("junk")) {
                out.print("private junk\n\n{\"half\":\n[1,2]\nnull\n7\n");
            }
            if (flags.contains("strange") && line.contains("\"method\"")) {
                out.print(
                        "{\"jsonrpc\":\"2.0\",\"id\":\"s1\",\"method\":\"sampling/createMessage\",\"params\":{\"private\":1}}\n");
                out.print("{\"jsonrpc\":\"2.0\",\"id\":999,\"result\":{\"private\":1}}\n");
                out.print(
                        "{\"jsonrpc\":\"2.0\",\"method\":\"notifications/message\",\"params\":{\"data\":\"private\"}}\n");
                out.print("{\"jsonrpc\":\"2.0\",\"method\":\"private/unheard-of\"}\n");
                out.print("{\"jsonrpc\":\"2.0\",\"id\":5,\"method\":\"ping\"}\n");
            }
            for (ObjectNode said : tools.said(SampleTools.JSON.readTree(line))) {
                out.print(said + "\n");
            }
            out.flush();
            if (flags.contains("deaf") && line.contains("tools/list")) {
                new CountDownLatch(1).await();
            }
        }
    }
}
