package dev.postern.agent;

import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.attribute.BasicFileAttributes;

/**
 * The files of an agent's workspace, read again at each turn, up to 256 KiB of each. Reading may block for as long as the
 * file system does. A program of the agent may write there, so nothing but a file is opened: a named pipe would block for ever.
 */
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
        Path path = directory.resolve(name);
        try {
            if (!Files.readAttributes(path, BasicFileAttributes.class).isRegularFile()) {
                throw new IOException(name + " is no file");
            }
            try (InputStream file = Files.newInputStream(path)) {
                return new String(file.readNBytes(MAX_BYTES), StandardCharsets.UTF_8).strip();
            }
        } catch (NoSuchFileException absent) {
            return "";
        }
    }
}
