package dev.postern.agent;

import dev.postern.model.Sha256;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;

/**
 * A marker that a program's processes inherit, by which they are found on Linux whatever their parent.
 *
 * <ul>
 *   <li>An environment variable, which each process passes on unless it clears its environment.
 *   <li>A number as the limit of resident memory ({@code RLIMIT_RSS}, setrlimit(2)), which Linux passes on and never
 *       enforces. {@code env -i}, {@code setsid}, a double fork and the closing of all files do not change it. The number is
 *       too large for a real limit.
 * </ul>
 *
 * @param variable the environment variable's name
 * @param value the variable's value, which no other program's processes have
 */
public record ProcessMarker(String variable, String value) {

    private static final Path PROC = Path.of("/proc");
    private static final long LEAST_LIMIT_KIB = 1L << 48;

    /** Whether this system shows the environment and the limits of its processes. */
    static boolean isReadable() {
        return Files.isReadable(PROC.resolve("self/limits"));
    }

    /** The limit of resident memory, in KiB, as the shell's {@code ulimit -m} takes it. */
    long limitKib() {
        long hash = ByteBuffer.wrap(Sha256.of(variable + "=" + value)).getLong();
        return LEAST_LIMIT_KIB | (hash & (LEAST_LIMIT_KIB - 1));
    }

    /** Whether the process {@code pid} carries this marker; false as well if it is gone, or another user's. */
    boolean isOn(long pid) {
        return ("\0" + read(pid, "environ")).contains("\0" + variable + "=" + value + "\0")
                || read(pid, "limits").contains(" " + limitKib() * 1024 + " ");
    }

    private static String read(long pid, String file) {
        try {
            return Files.readString(PROC.resolve(pid + "/" + file), StandardCharsets.ISO_8859_1);
        } catch (IOException endedOrSomebodyElses) {
            return "";
        }
    }
}
