package dev.postern.it.standalone;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.io.IOException;
import java.nio.file.Path;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** A measure of what a process keeps on its heap, right after a garbage collection. */
final class LiveHeap {

    private static final Pattern TOTAL = Pattern.compile("(?m)^Total +\\d+ +(\\d+)");
    private static final int MEBIBYTE = 1024 * 1024;

    private LiveHeap() {}

    /** The bytes of all objects that {@code postern} can reach. */
    static long bytes(PosternProcess postern) throws IOException {
        Path jcmd = Path.of(System.getProperty("java.home"), "bin", "jcmd");
        Process process =
                new ProcessBuilder(jcmd.toString(), Long.toString(postern.pid()), "GC.class_histogram").start();
        Matcher total = TOTAL.matcher(new String(process.getInputStream().readAllBytes(), UTF_8));
        if (!total.find()) {
            throw new IOException(jcmd + " says nothing of " + postern);
        }
        return Long.parseLong(total.group(1));
    }

    static long mebibytes(long bytes) {
        return Math.round((double) bytes / MEBIBYTE);
    }
}
