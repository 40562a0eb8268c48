package dev.postern.config;

import dev.postern.net.DirectoryTree;
import dev.postern.net.OwnerOnlyFiles;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;

/**
 * A draft of a home's configuration file, with secrets and scripts in files of their own. It lies in a directory that its owner
 * alone can open, where it can be loaded like a home, until it is written into the home itself. Its files are deleted too when
 * the process is interrupted.
 */
public final class HomeDraft implements AutoCloseable {

    private static final String MAIN = ConfigurationFile.NAMES.get(0);

    private final Path home;
    private final Path directory;

    private HomeDraft(Path home, Path directory) {
        this.home = home;
        this.directory = directory;
    }

    /**
     * Makes a draft for {@code home}, which need not exist yet. The draft has the mailbox and the senders of the home, and its
     * secrets.
     *
     * @param files contents by path below the home
     */
    public static HomeDraft of(Path home, Map<Path, String> files) throws IOException {
        HomeDraft draft =
                new HomeDraft(home, Files.createTempDirectory("postern-import-").toRealPath());
        boolean made = false;
        try {
            HomeInitializer.createDirectories(draft.directory);
            try (Stream<Path> empty = Files.walk(draft.directory)) {
                empty.forEach(path -> path.toFile().deleteOnExit());
            }
            for (String name : List.of(MailFile.NAME, SendersFile.NAME)) {
                draft.copy(Path.of(name));
            }
            Path secrets = home.resolve("secrets");
            if (Files.isDirectory(secrets)) {
                try (Stream<Path> present = Files.list(secrets)) {
                    for (Path secret : present.filter(Files::isReadable).toList()) {
                        draft.copy(home.relativize(secret));
                    }
                }
            }
            for (Map.Entry<Path, String> file : files.entrySet()) {
                draft.write(file.getKey(), file.getValue());
            }
            made = true;
            return draft;
        } finally {
            if (!made) {
                draft.close();
            }
        }
    }

    private void copy(Path file) throws IOException {
        Path present = home.resolve(file);
        if (Files.isRegularFile(present)) {
            Files.copy(present, temporary(file));
        }
    }

    /** The path of {@code file} in the draft, which is deleted with its directories when the process is interrupted. */
    private Path temporary(Path file) {
        Path place = directory;
        for (Path name : file) {
            place = place.resolve(name);
            place.toFile().deleteOnExit(); // the last one first
        }
        return place;
    }

    /** The directory that can be loaded like a home. */
    public Path directory() {
        return directory;
    }

    /** The draft's configuration file. */
    public Path main() {
        return directory.resolve(MAIN);
    }

    /** Replaces the draft's configuration file. */
    public void writeMain(String text) throws IOException {
        Files.deleteIfExists(main());
        write(Path.of(MAIN), text);
    }

    private void write(Path file, String text) throws IOException {
        Path place = temporary(file);
        Files.createDirectories(place.resolveSibling(""));
        OwnerOnlyFiles.on(place).writeFile(place, text);
    }

    /**
     * What the home has that would be lost: a configuration file, other than the one that the set-up of an empty home writes, or
     * one of {@code files} with another content.
     *
     * @return a sentence for the operator, with what to do; empty if there is nothing
     */
    public static Optional<String> obstacle(Path home, Map<Path, String> files) throws IOException {
        for (String name : ConfigurationFile.NAMES) {
            Path present = home.resolve(name);
            boolean untouched = name.equals(MAIN) && holds(present, HomeInitializer.CONTENT);
            if (ConfigurationFile.exists(present) && !untouched) {
                return Optional.of(present + " exists. Move it away, or name another home with --home");
            }
        }
        for (Map.Entry<Path, String> file : files.entrySet()) {
            Path present = home.resolve(file.getKey());
            if (ConfigurationFile.exists(present) && !holds(present, file.getValue())) {
                return Optional.of(
                        present + " exists with another content. Move it away, or name another home with --home");
            }
        }
        return Optional.empty();
    }

    private static boolean holds(Path file, String content) throws IOException {
        byte[] bytes = content.getBytes(StandardCharsets.UTF_8);
        return Files.isRegularFile(file)
                && Files.size(file) == bytes.length
                && Arrays.equals(Files.readAllBytes(file), bytes);
    }

    /**
     * Writes the configuration file and {@code files} into the home, each whole or not at all, the configuration file last.
     *
     * @return the files that were written
     * @throws IOException if the home can't be written, or has a file by now that would be lost; nothing of the draft is in it then
     */
    public List<Path> writeHome(Map<Path, String> files) throws IOException {
        Map<Path, String> all = new LinkedHashMap<>();
        files.forEach((file, content) -> all.put(home.resolve(file), content));
        Path main = home.resolve(MAIN);
        all.put(main, Files.readString(main()));
        HomeInitializer.createDirectories(home);
        List<FileReplacement> prepared = new ArrayList<>();
        List<Path> written = new ArrayList<>();
        boolean complete = false;
        try {
            for (Map.Entry<Path, String> file : all.entrySet()) {
                OwnerOnlyFiles.createGroupDirectories(file.getKey().resolveSibling(""));
                prepared.add(FileReplacement.of(file.getKey(), file.getValue()));
            }
            Optional<String> obstacle = obstacle(home, files);
            if (obstacle.isPresent()) {
                throw new IOException(obstacle.get());
            }
            List<Path> targets = List.copyOf(all.keySet());
            for (int i = 0; i < targets.size(); i++) {
                boolean fresh = !ConfigurationFile.exists(targets.get(i));
                prepared.get(i).commit();
                if (fresh || targets.get(i).equals(main)) {
                    written.add(targets.get(i));
                }
            }
            complete = true;
            return written;
        } finally {
            for (FileReplacement each : prepared) {
                each.close();
            }
            if (!complete) {
                for (Path each : written) {
                    Files.deleteIfExists(each);
                }
            }
        }
    }

    @Override
    public void close() throws IOException {
        DirectoryTree.delete(directory);
    }
}
