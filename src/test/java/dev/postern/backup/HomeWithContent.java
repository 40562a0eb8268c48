package dev.postern.backup;

import dev.postern.net.OwnerOnlyFiles;
import dev.postern.store.Store;
import dev.postern.store.StoreException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Instant;
import java.time.InstantSource;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Stream;

/** A home with a file of each kind, and a database with one row in {@code node}. */
record HomeWithContent(Path directory) {

    static final InstantSource CLOCK = InstantSource.fixed(Instant.parse("2026-11-26T09:30:00Z"));
    static final int FILES = 5;
    static final String SECRET = "a-secret-that-is-not-shown-7hQ2";

    static HomeWithContent at(Path directory) {
        return new HomeWithContent(directory);
    }

    static HomeWithContent in(Path directory) throws IOException, StoreException {
        HomeWithContent home = new HomeWithContent(OwnerOnlyFiles.createDirectories(directory));
        home.file("postern.yaml", "hooks: {enabled: true}\n", "rw-------");
        home.file("secrets/hook-token", SECRET, "rw-------");
        home.file("turn.sh", "#!/bin/sh\n", "rwx------");
        home.file("agents/main/AGENTS.md", "# Rules\n", "rw-r-----");
        OwnerOnlyFiles.createDirectories(directory.resolve("agents/main/empty"));
        Files.createSymbolicLink(directory.resolve("agents/main/link"), Path.of("../../elsewhere/file"));
        for (String name : new String[] {"agents", "agents/main"}) {
            Files.setPosixFilePermissions(directory.resolve(name), PosixFilePermissions.fromString("rwxr-x---"));
        }
        home.file("work/unpacked", "made again\n", "rw-------");
        home.file("log/postern.log", "a line\n", "rw-------");
        try (Store store = home.open()) {
            home.write(store, "one");
        }
        return home;
    }

    /** Copies a home whose Postern goes on, as a power cut would leave it. */
    static void copy(Path from, Path to) throws IOException {
        try (Stream<Path> files = Files.walk(from)) {
            for (Path file : files.toList()) {
                if (!file.toString().contains("/work")) {
                    Files.copy(file, to.resolve(from.relativize(file).toString()), LinkOption.NOFOLLOW_LINKS);
                }
            }
        }
    }

    Path database() {
        return directory.resolve("data/postern.db");
    }

    Store open() throws StoreException {
        return Store.open(directory, "test", CLOCK);
    }

    void write(Store store, String id) throws StoreException {
        store.writeAndWait(sql -> sql.update("INSERT INTO node (id, started_at, seen_at) VALUES (?, 1, 1)", id));
    }

    BackupSummary backup(Path file) throws BackupException, StoreException {
        return backup(file, true);
    }

    BackupSummary backup(Path file, boolean withSecrets) throws BackupException, StoreException {
        return new HomeBackup(directory, database(), withSecrets, "1.2.3", CLOCK).write(file);
    }

    private void file(String name, String text, String mode) throws IOException {
        Path file = directory.resolve(name);
        OwnerOnlyFiles.createDirectories(file.getParent());
        Files.writeString(file, text);
        Files.setPosixFilePermissions(file, PosixFilePermissions.fromString(mode));
    }

    /** The content of each file by its path with its permissions, without the database and SQLite's own files. */
    static Map<String, String> content(Path home) throws IOException {
        Map<String, String> content = new TreeMap<>();
        try (Stream<Path> files = Files.walk(home)) {
            for (Path file : files.toList()) {
                String path = home.relativize(file).toString();
                if (Files.isSymbolicLink(file)) {
                    content.put(path, "-> " + Files.readSymbolicLink(file));
                } else if (!path.startsWith("data/") && !path.startsWith("work") && !path.startsWith("log")) {
                    String mode = PosixFilePermissions.toString(Files.getPosixFilePermissions(file));
                    content.put(path + " " + mode, Files.isDirectory(file) ? "" : Files.readString(file));
                }
            }
        }
        return content;
    }
}
