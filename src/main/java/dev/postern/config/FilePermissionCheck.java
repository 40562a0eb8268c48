package dev.postern.config;

import dev.postern.model.ShellWord;
import dev.postern.net.OwnerOnlyFiles;
import java.io.IOException;
import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFileAttributeView;
import java.nio.file.attribute.PosixFileAttributes;
import java.nio.file.attribute.PosixFilePermission;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;

/**
 * A check for files that other users can read or change without need: the home, files with secrets, the database. Only
 * the file's own mode counts, not the directories above it, because a copy or a backup keeps that mode.
 *
 * <p>Postern reads a file of another owner by its group. So the group's permissions are needed there, and are allowed.
 */
final class FilePermissionCheck {

    private static final Logger LOG = System.getLogger(FilePermissionCheck.class.getName());
    private static final String SETTING = "permissions";
    private static final Set<PosixFilePermission> SECRET = PosixFilePermissions.fromString("rw-------");
    private static final Set<PosixFilePermission> CLOSED = PosixFilePermissions.fromString("rwxr-x---");
    private static final Set<PosixFilePermission> UNCHANGEABLE = PosixFilePermissions.fromString("rwxr-xr-x");
    private static final Set<PosixFilePermission> GROUP = PosixFilePermissions.fromString("---rwx---");

    private final Path home;
    private final ConfigurationProblems problems;

    FilePermissionCheck(Path home, ConfigurationProblems problems) {
        this.home = home;
        this.problems = problems;
    }

    /**
     * Warns of each file or directory whose mode is too open.
     *
     * @param files the configuration files
     * @param references the secrets and files that the settings refer to
     */
    void warn(List<Path> files, SecretReferences references) {
        if (!OwnerOnlyFiles.isPosix(home)) {
            return;
        }
        check(home, CLOSED);
        check(home.resolve("secrets"), CLOSED);
        check(home.resolve("data"), CLOSED);
        check(home.resolve("agents"), UNCHANGEABLE);
        check(home.resolve("hooks/transforms"), UNCHANGEABLE);
        files.forEach(each -> check(each, references.hasLiteralIn(each) ? SECRET : UNCHANGEABLE));
        checkEach(home.resolve("secrets"), "*");
        references.files().forEach(each -> check(each, SECRET));
        checkEach(home.resolve("data"), "postern.db*");
    }

    private void checkEach(Path directory, String names) {
        if (!Files.isDirectory(directory)) {
            return;
        }
        try (DirectoryStream<Path> files = Files.newDirectoryStream(directory, names)) {
            for (Path file : files) {
                if (Files.isRegularFile(file)) {
                    check(file, SECRET);
                }
            }
        } catch (IOException e) {
            LOG.log(Level.DEBUG, "Could not check the permissions in [{0}]: {1}", directory, e);
        }
    }

    private void check(Path path, Set<PosixFilePermission> allowed) {
        if (!Files.exists(path)) {
            return;
        }
        try {
            PosixFileAttributes attributes = Files.getFileAttributeView(path, PosixFileAttributeView.class)
                    .readAttributes();
            Set<PosixFilePermission> kept = EnumSet.copyOf(allowed);
            if (!attributes.owner().getName().equals(System.getProperty("user.name"))) {
                kept.addAll(GROUP);
            }
            Set<PosixFilePermission> mode = attributes.permissions();
            if (!kept.containsAll(mode)) {
                String found = octal(mode);
                kept.retainAll(mode);
                problems.warn(
                        SETTING,
                        ValueOrigin.file(path),
                        "has the mode " + found + ", with which other users can " + harm(mode, allowed) + "; run chmod "
                                + octal(kept) + " " + ShellWord.of(path.toRealPath(new LinkOption[0])));
            }
        } catch (IOException e) {
            LOG.log(Level.DEBUG, "Could not check the permissions of [{0}]: {1}", path, e);
        }
    }

    private static String harm(Set<PosixFilePermission> mode, Set<PosixFilePermission> allowed) {
        boolean writable = mode.contains(PosixFilePermission.OTHERS_WRITE)
                || (mode.contains(PosixFilePermission.GROUP_WRITE)
                        && !allowed.contains(PosixFilePermission.GROUP_WRITE));
        return writable ? "change it" : "read it";
    }

    private static String octal(Set<PosixFilePermission> permissions) {
        int bits = 0;
        for (PosixFilePermission each : PosixFilePermission.values()) {
            bits = bits << 1 | (permissions.contains(each) ? 1 : 0);
        }
        return Integer.toOctalString(bits);
    }
}
