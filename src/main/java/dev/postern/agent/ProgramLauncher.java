package dev.postern.agent;

import dev.postern.net.ContextClassLoader;
import java.io.File;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/**
 * A launcher that starts programs with a marker.
 *
 * <p>The JVM is shared with others. Java's threads that wait for the end of programs serve all who start programs, and live
 * for at least a minute after the program. On Java 17 they keep the context class loader that was set when they were
 * created.
 *
 * <p>Java can't set a limit for a program, nor start it in a {@link ControlGroup}. On Linux a shell does both and becomes
 * the program: the process, its input and its output are the same. If one of the program's variables has a name that a shell
 * drops, the program is started without that limit and that group.
 */
public final class ProgramLauncher {

    private static final Path SHELL = Path.of("/bin/sh");
    private static final Path NO_GROUP = Path.of("/dev/null");
    private static final String LIMITED = "ulimit -m \"$1\" 2>/dev/null; { echo 0 >\"$2\"; } 2>/dev/null; "
            + "shift 2; unset PWD OLDPWD SHLVL; exec \"$@\"";

    /** The names of variables that a shell passes on; it drops a variable with any other name. */
    private static final Pattern SHELL_NAME = Pattern.compile("[A-Za-z_][A-Za-z0-9_]*");

    private ProgramLauncher() {}

    /** Starts {@code program} as {@link ProcessBuilder#start} does, so that it carries {@code mark}. */
    public static Process start(ProcessBuilder program, ProcessMarker mark) throws IOException {
        program.environment().put(mark.variable(), mark.value());
        List<String> command = program.command();
        if (ProcessMarker.isReadable() && Files.isExecutable(SHELL) && handsOn(program.environment())) {
            // A program that does not exist is left to Java, which reports it.
            file(program).ifPresent(file -> program.command(limited(file, command, mark)));
        }
        try {
            return ContextClassLoader.call(ClassLoader.getPlatformClassLoader(), program::start);
        } finally {
            program.command(command);
        }
    }

    /** The directory of the control group in which each program gets its own group; empty if groups are not available. */
    public static Optional<Path> groupDirectory() {
        return ControlGroup.parentDirectory();
    }

    private static boolean handsOn(Map<String, String> environment) {
        return environment.keySet().stream()
                .allMatch(name -> SHELL_NAME.matcher(name).matches());
    }

    private static List<String> limited(Path file, List<String> command, ProcessMarker mark) {
        List<String> limited = new ArrayList<>(List.of(SHELL.toString(), "-c", LIMITED, "sh"));
        limited.add(Long.toString(mark.limitKib()));
        limited.add(ControlGroup.of(mark)
                .flatMap(ControlGroup::open)
                .orElse(NO_GROUP)
                .toString());
        limited.add(file.toString());
        limited.addAll(command.subList(1, command.size()));
        return limited;
    }

    /** The program's file as Java would find it: relative to its directory or, for a bare name, on this process's path. */
    private static Optional<Path> file(ProcessBuilder program) {
        String name = program.command().get(0);
        File directory = program.directory();
        Stream<String> folders = name.contains("/")
                ? Stream.of(directory == null ? "" : directory.getPath())
                : Stream.of(System.getenv().getOrDefault("PATH", "").split(File.pathSeparator, -1));
        try {
            return folders.map(folder -> Path.of(folder).resolve(name).toAbsolutePath())
                    .filter(file -> Files.isRegularFile(file) && Files.isExecutable(file))
                    .findFirst();
        } catch (InvalidPathException noPath) {
            return Optional.empty();
        }
    }
}
