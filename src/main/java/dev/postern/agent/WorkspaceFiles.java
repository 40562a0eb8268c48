package dev.postern.agent;

import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;

/** An agent's own files, read anew at each turn; each counts up to 256 KiB. */
public final class WorkspaceFiles {

    private static final int MAX_BYTES = 256 * 1024;

    private final Path directory;

    /** The workspace in {@code directory}, which may not exist. */
    public WorkspaceFiles(Path directory) {
        this.directory = directory;
    }

    /** What the agent is to be and do: {@code AGENTS.md}, or empty when there is none. */
    public String instructions() throws IOException {
        return read("AGENTS.md");
    }

    /** What the agent is to look at in each heartbeat: {@code HEARTBEAT.md}, or empty when there is none. */
    public String heartbeat() throws IOException {
        return read("HEARTBEAT.md");
    }

    private String read(String name) throws IOException {
        try (InputStream file = Files.newInputStream(directory.resolve(name))) {
            return new String(file.readNBytes(MAX_BYTES), StandardCharsets.UTF_8).strip();
        } catch (NoSuchFileException absent) {
            return "";
        }
    }
}
