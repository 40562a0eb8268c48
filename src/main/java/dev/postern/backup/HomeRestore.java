package dev.postern.backup;

import dev.postern.backup.BackupManifest.Entry;
import dev.postern.backup.BackupManifest.Kind;
import dev.postern.net.DirectoryTree;
import dev.postern.net.OwnerOnlyFiles;
import dev.postern.store.HomeLock;
import dev.postern.store.LastDatabase;
import dev.postern.store.StoreException;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.InstantSource;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** A restorer of homes from backups. The home has the whole content of the backup afterwards, or is as it was. */
public final class HomeRestore {

    private static final DateTimeFormatter STAMP =
            DateTimeFormatter.ofPattern("yyyyMMdd-HHmmss").withZone(ZoneOffset.UTC);

    private final Path home;
    private final boolean replaces;
    private final InstantSource clock;
    private final HomeFileSystem fileSystem;

    /**
     * @param home the home, which may be missing
     * @param replaces true to move the content that the home has aside, false to refuse a home that has any
     */
    public HomeRestore(Path home, boolean replaces, InstantSource clock) {
        this(home, replaces, clock, new HomeFileSystem());
    }

    /** @param fileSystem moves the parts of the home */
    HomeRestore(Path home, boolean replaces, InstantSource clock, HomeFileSystem fileSystem) {
        this.home = home.toAbsolutePath();
        this.replaces = replaces;
        this.clock = clock;
        this.fileSystem = fileSystem;
    }

    /**
     * A restored home.
     *
     * @param backup the facts about the backup
     * @param replaced the directory with the former content; null if there was none
     * @param completed true if an earlier restore was interrupted, and is complete now
     */
    public record Result(BackupSummary backup, @Nullable Path replaced, boolean completed) {}

    /**
     * Restores the home from the backup {@code file}, after it has checked all of the backup.
     *
     * @throws BackupException in words for the operator; the home is unchanged then, unless the message says otherwise
     * @throws StoreException in words for the operator, when a Postern uses the home, or the backup's database is damaged
     *     or newer than this program
     */
    public Result run(Path file) throws BackupException, StoreException {
        try (BackupReader reader = BackupReader.open(file)) {
            StagedHome staged = new StagedHome(home, fileSystem);
            StagedHome.Plan interrupted = staged.interrupted();
            if (interrupted == null) {
                requireEmpty();
                requireSpace(reader);
            }
            boolean isMade = !Files.exists(home);
            if (!isMade) {
                requireOwner();
            }
            OwnerOnlyFiles.createDurableDirectories(home);
            boolean restored = false;
            try {
                Result result = whileLocked(reader, staged, interrupted);
                restored = true;
                return result;
            } finally {
                if (isMade && !restored) {
                    DirectoryTree.delete(home);
                }
            }
        } catch (IOException e) {
            throw BackupException.of("the home [" + home + "] can't be restored", e);
        }
    }

    private Result whileLocked(BackupReader reader, StagedHome staged, StagedHome.@Nullable Plan interrupted)
            throws IOException, BackupException, StoreException {
        HomeLock lock = HomeLock.ofHome(home);
        try {
            return interrupted == null ? restore(reader, staged) : complete(reader, staged, interrupted);
        } finally {
            lock.close();
        }
    }

    private void requireEmpty() throws IOException, BackupException {
        if (Files.exists(home) && !Files.isDirectory(home)) {
            throw new BackupException("the home [" + home + "] is no directory");
        }
        if (!replaces && !HomeContent.isEmpty(home)) {
            throw new BackupException("the home [" + home
                    + "] is not empty; name another home, or move its content aside" + " with --replace");
        }
    }

    private void requireSpace(BackupReader reader) throws IOException, BackupException {
        Path there = home;
        while (!Files.exists(there) && there.getParent() != null) {
            there = there.getParent();
        }
        BackupVerification.requireSpace(
                there, reader.manifest().bytes(), "restore [" + home + "]", "nothing was changed");
    }

    private Result restore(BackupReader reader, StagedHome staged) throws IOException, BackupException, StoreException {
        boolean isStaged = false;
        StagedHome.Plan plan;
        String schemaText;
        requireMovable(reader.manifest());
        try {
            staged.prepare();
            unpack(reader, staged.directory());
            schemaText = reader.inspect(staged.directory().resolve(BackupManifest.DATABASE), staged.top())
                    .schemaText();
            plan = plan(reader, staged);
            isStaged = true;
        } finally {
            if (!isStaged) {
                staged.discard();
            }
        }
        try {
            staged.commit(plan);
            finish(reader, staged);
        } catch (StagedHome.RevertedException e) {
            throw unchanged(e);
        } catch (IOException e) {
            throw unfinished(e);
        }
        return new Result(reader.summary(schemaText), replaced(plan), false);
    }

    private StagedHome.Plan plan(BackupReader reader, StagedHome staged) throws IOException {
        List<String> parts = HomeContent.parts(staged.directory());
        String kept = kept(reader.manifest());
        boolean isEmpty = HomeContent.isEmpty(home);
        String replaced = isEmpty ? null : HomeContent.REPLACED + STAMP.format(clock.instant());
        return new StagedHome.Plan(reader.manifest().id(), parts, kept, replaced);
    }

    /** The part of the home that stays: secrets that a backup was made without stay with the home that they are in. */
    private static @Nullable String kept(BackupManifest manifest) {
        return manifest.leftOut().isEmpty() ? null : HomeContent.SECRETS;
    }

    /** Gives the directories their permissions at last, since one that is closed can't be moved. */
    private void finish(BackupReader reader, StagedHome staged) throws IOException {
        List<Entry> entries = reader.manifest().entries();
        for (int i = entries.size() - 1; i >= 0; i--) {
            if (entries.get(i).kind() == Kind.DIRECTORY) {
                restoreMode(entries.get(i), home.resolve(entries.get(i).path()));
            }
        }
        staged.finish();
    }

    private Result complete(BackupReader reader, StagedHome staged, StagedHome.Plan plan)
            throws IOException, BackupException {
        if (!plan.backup().equals(reader.manifest().id())) {
            throw new BackupException("a restore of the home [" + home
                    + "] from another backup was interrupted; run that" + " again first, which completes it");
        }
        try {
            staged.complete(plan);
            finish(reader, staged);
        } catch (StagedHome.RevertedException e) {
            throw unchanged(e);
        } catch (IOException e) {
            throw unfinished(e);
        }
        String schemaText = "with schema " + reader.manifest().schema();
        return new Result(reader.summary(schemaText), replaced(plan), true);
    }

    private BackupException unchanged(StagedHome.RevertedException e) {
        return BackupException.of(
                "the home [" + home + "] is unchanged, since a part of it could not be moved aside", e.reason());
    }

    private BackupException unfinished(IOException e) {
        return BackupException.of(
                "the home [" + home + "] has a part of its content; mend the cause and run restore again, which"
                        + " completes it",
                e);
    }

    private @Nullable Path replaced(StagedHome.Plan plan) {
        Path replaced = plan.replaced() == null ? null : home.resolve(plan.replaced());
        return replaced != null && Files.exists(replaced) ? replaced : null;
    }

    /** Rejects a user whose files Postern's user could not open, before any is made. */
    private void requireOwner() throws IOException, BackupException {
        String owner = Files.getOwner(home).getName();
        Path ours = Files.createTempFile("postern-", "");
        String user = Files.getOwner(ours).getName();
        Files.delete(ours);
        if (!owner.equals(user)) {
            throw new BackupException("the home [" + home + "] belongs to " + owner + ", and this process runs as "
                    + user + "; run the command as " + owner);
        }
    }

    /** Rejects a home with a part that has to be renamed and can't be. */
    private void requireMovable(BackupManifest manifest) throws IOException, BackupException {
        RenameCheck check = new RenameCheck(home, fileSystem.mountPoints());
        if (Files.exists(home.resolve(HomeContent.DATA))) {
            check.require(HomeContent.DATA);
        }
        boolean isEmpty = HomeContent.isEmpty(home);
        for (String part : HomeContent.parts(home)) {
            // Of a home with empty directories alone, only those are replaced that the backup has too.
            boolean isReplaced = isEmpty ? hasPart(manifest, part) : !part.equals(kept(manifest));
            if (isReplaced) {
                check.require(part);
            }
        }
    }

    private static boolean hasPart(BackupManifest manifest, String part) {
        return manifest.entries().stream()
                .anyMatch(entry -> entry.path().equals(part) || entry.path().startsWith(part + "/"));
    }

    private static void unpack(BackupReader reader, Path directory) throws IOException, BackupException {
        List<Path> directories = new ArrayList<>();
        List<Entry> links = new ArrayList<>();
        OwnerOnlyFiles.createDirectories(directory.resolve(HomeContent.DATA));
        for (Entry entry : reader.manifest().entries()) {
            Path path = directory.resolve(entry.path());
            if (entry.kind() == Kind.DIRECTORY) {
                OwnerOnlyFiles.createDirectories(path);
                directories.add(path);
            } else if (entry.kind() == Kind.LINK) {
                links.add(entry);
            } else {
                OwnerOnlyFiles.create(path);
                try (OutputStream out = Files.newOutputStream(path)) {
                    reader.copy(entry, out);
                }
                OwnerOnlyFiles.sync(path);
                restoreMode(entry, path);
            }
        }
        if (reader.manifest().databaseFile() != null) {
            LastDatabase.recordRestored(directory.resolve(HomeContent.DATA));
        }
        // Last, so that nothing is written through a link.
        for (Entry entry : links) {
            Files.createSymbolicLink(directory.resolve(entry.path()), Path.of(String.valueOf(entry.target())));
        }
        for (Path path : directories) {
            OwnerOnlyFiles.syncNames(path);
        }
        OwnerOnlyFiles.syncNames(directory.resolve(HomeContent.DATA));
        OwnerOnlyFiles.syncNames(directory);
    }

    private static void restoreMode(Entry entry, Path path) throws IOException {
        if (entry.mode() != null && OwnerOnlyFiles.isPosix(path)) {
            Files.setPosixFilePermissions(path, PosixFilePermissions.fromString(entry.mode()));
        }
    }
}
