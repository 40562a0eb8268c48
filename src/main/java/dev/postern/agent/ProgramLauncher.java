package dev.postern.agent;

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
 * How a program is started: marked, in a JVM that isn't ours alone.
 *
 * <p>The threads by which Java learns of its end serve all who start programs, live for a minute after it at least, and on
 * Java 17 keep the context class loader of whoever they were made for.
 *
 * <p>Java can't set a limit for a program, nor start it in a {@link ControlGroup}. On Linux a shell does both, and becomes the
 * program: the process, its input and its output are the same. A program is started without that limit and without that group
 * where one of its variables has a name that a shell drops.
 */
public final class ProgramLauncher {

    private static final Path SHELL = Path.of("/bin/sh");
    private static final Path NO_GROUP = Path.of("/dev/null");
    private static final String LIMITED = "ulimit -m \"$1\" 2>/dev/null; { echo 0 >\"$2\"; } 2>/dev/null; "
            + "shift 2; unset PWD OLDPWD SHLVL; exec \"$@\"";

    /** What a shell hands on; it drops a variable with any other name. */
    private static final Pattern SHELL_NAME = Pattern.compile("[A-Za-z_][A-Za-z0-9_]*");

    private ProgramLauncher() {}

    /** Starts {@code program}, as {@link ProcessBuilder#start} does, so that it carries {@code mark}. */
    public static Process of(ProcessBuilder program, ProcessMarker mark) throws IOException {
        program.environment().put(mark.variable(), mark.value());
        List<String> command = program.command();
        if (ProcessMarker.isReadable() && Files.isExecutable(SHELL) && handsOn(program.environment())) {
            // What isn't there is left to Java, which says so.
            file(program).ifPresent(file -> program.command(limited(file, command, mark)));
        }
        Thread thread = Thread.currentThread();
        ClassLoader own = thread.getContextClassLoader();
        thread.setContextClassLoader(ClassLoader.getPlatformClassLoader());
        try {
            return program.start();
        } finally {
            thread.setContextClassLoader(own);
            program.command(command);
        }
    }

    /** The directory of the control group in which each program gets a group of its own; nothing where they get none. */
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

    /** The program's file, where Java would find it: against its directory, or, a bare name, on this process's path. */
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
