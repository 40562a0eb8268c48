package dev.postern.agent;

import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;

/** The files of an agent's workspace, read again at each turn, up to 256 KiB of each. */
public final class WorkspaceFiles {

    private static final int MAX_BYTES = 256 * 1024;

    private final Path directory;

    /** Creates access to the workspace in {@code directory}, which may not exist. */
    public WorkspaceFiles(Path directory) {
        this.directory = directory;
    }

    /** The agent's instructions: {@code AGENTS.md}; empty if there is none. */
    public String instructions() throws IOException {
        return read("AGENTS.md");
    }

    /** The agent's checklist for each heartbeat: {@code HEARTBEAT.md}; empty if there is none. */
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
