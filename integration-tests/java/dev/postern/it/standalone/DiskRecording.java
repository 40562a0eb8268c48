package dev.postern.it.standalone;

import static org.awaitility.Awaitility.await;

import dev.postern.it.standalone.DiskEvent.Creation;
import dev.postern.it.standalone.DiskEvent.Removal;
import dev.postern.it.standalone.DiskEvent.Response;
import dev.postern.it.standalone.DiskEvent.SyncBegin;
import dev.postern.it.standalone.DiskEvent.SyncEnd;
import dev.postern.it.standalone.DiskEvent.Truncation;
import dev.postern.it.standalone.DiskEvent.Write;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.RandomAccessFile;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * A recording of the system calls by which a process changes the files of a directory, and of its responses, in their order. strace makes
 * it. strace lets a thread go on from a call only after it has written so; hence an fsync ends in the recording before the response does
 * that waits for it.
 *
 * @param log strace's output
 * @param directory the files' directory
 */
record DiskRecording(Path log, Path directory) {

    private static final Duration LONGEST_END = Duration.ofSeconds(60);

    /** Calls that change files, whether or not the recording understands them. */
    private static final String CALLS =
            "openat,open,creat,mkdir,mkdirat,write,pwrite64,writev,pwritev,pwritev2,fsync,fdatasync,msync,"
                    + "sync_file_range,ftruncate,truncate,fallocate,copy_file_range,sendfile,mmap,rename,renameat,renameat2,link,linkat,symlink,"
                    + "unlink,unlinkat,rmdir";

    private static final Pattern LINE = Pattern.compile("([0-9]+) +(<\\.\\.\\. )?([a-z0-9_]+)[( ]");
    private static final Pattern ID = Pattern.compile("\"(?:runId|eventId)\":\"([^\"]+)\"");
    private static final String UNFINISHED = " <unfinished ...>";
    private static final String RESUMED = " resumed>";

    /** A handler of the events of a recording. */
    @FunctionalInterface
    interface EventHandler {

        void add(DiskEvent event) throws Exception;
    }

    /** Whether strace is installed and may trace. */
    static boolean isPossible() throws InterruptedException {
        try {
            return new ProcessBuilder("strace", "-f", "--seccomp-bpf", "-e", "trace=none", "true")
                            .redirectErrorStream(true)
                            .redirectOutput(ProcessBuilder.Redirect.DISCARD)
                            .start()
                            .waitFor()
                    == 0;
        } catch (IOException notInstalled) {
            return false;
        }
    }

    /** The beginning of the command line of a process that is recorded. */
    List<String> command() {
        return List.of(
                "strace",
                "-D",
                "-f",
                "--seccomp-bpf",
                "-y",
                "-xx",
                "-s",
                "16777216",
                "-e",
                "signal=kill",
                "-e",
                "trace=" + CALLS,
                "-o",
                log.toString());
    }

    /** Returns when strace has written that the process {@code pid} has ended. */
    void awaitEnd(long pid) {
        Pattern exit = Pattern.compile("(?m)^" + pid + " +\\+\\+\\+ ");
        await("the end of " + log).atMost(LONGEST_END).until(() -> exit.matcher(end())
                .find());
    }

    private String end() throws IOException {
        try (RandomAccessFile file = new RandomAccessFile(log.toFile(), "r")) {
            file.seek(Math.max(0, file.length() - 100));
            byte[] last = new byte[(int) (file.length() - file.getFilePointer())];
            file.readFully(last);
            return new String(last, StandardCharsets.ISO_8859_1);
        }
    }

    /** Gives {@code events} each event in turn. */
    void read(EventHandler events) throws Exception {
        try (BufferedReader lines = Files.newBufferedReader(log, StandardCharsets.ISO_8859_1)) {
            Map<String, String> unfinished = new HashMap<>();
            Translator translator = new Translator(directory.toString(), events, new HashMap<>());
            for (String line = lines.readLine(); line != null; line = lines.readLine()) {
                Matcher start = LINE.matcher(line);
                if (!start.lookingAt()) {
                    continue; // the end of a thread
                }
                String thread = start.group(1);
                String name = start.group(3);
                if (line.endsWith(UNFINISHED)) {
                    String begun = line.substring(0, line.length() - UNFINISHED.length());
                    unfinished.put(thread, begun);
                    translator.begin(new StraceCall(thread, name, begun));
                } else if (start.group(2) != null) {
                    String rest = line.substring(line.indexOf(RESUMED) + RESUMED.length());
                    translator.end(new StraceCall(thread, name, unfinished.remove(thread) + rest));
                } else {
                    StraceCall call = new StraceCall(thread, name, line);
                    translator.begin(call);
                    translator.end(call);
                }
            }
        }
    }

    /**
     * A translator of calls to events.
     *
     * @param positions where the next write call to a file descriptor goes
     */
    private record Translator(String directory, EventHandler events, Map<Integer, Long> positions) {

        void begin(StraceCall call) throws Exception {
            switch (call.name()) {
                case "pwrite64" -> write(call, call.path(), call.lastNumber());
                case "write" -> write(call, call.path(), positions.getOrDefault(call.descriptor(), 0L));
                case "fsync", "fdatasync" -> add(call.path(), new SyncBegin(call.path(), call.thread()));
                default -> {}
            }
        }

        void end(StraceCall call) throws Exception {
            if (!call.hasSucceeded()) {
                return;
            }
            switch (call.name()) {
                case "pwrite64" -> {}
                case "write" -> positions.merge(call.descriptor(), call.result(), Long::sum);
                case "fsync", "fdatasync" -> add(call.path(), new SyncEnd(call.path(), call.thread()));
                case "ftruncate" -> add(call.path(), new Truncation(call.path(), call.lastNumber()));
                case "unlink" -> add(call.quoted(), new Removal(call.quoted()));
                case "mkdir" -> add(call.quoted(), new Creation(call.quoted(), true));
                case "openat" -> open(call);
                default -> {
                    if (call.paths().stream().anyMatch(this::isRecorded)) {
                        throw new IllegalStateException(call.name() + " changes the disk in an unknown way");
                    }
                }
            }
        }

        private void open(StraceCall call) throws Exception {
            positions.put((int) call.result(), 0L);
            String path = call.quoted();
            if (call.text().contains("O_CREAT")) {
                add(path, new Creation(path, false));
            }
            if (call.text().contains("O_TRUNC")) {
                add(path, new Truncation(path, 0));
            }
        }

        private void write(StraceCall call, String path, long offset) throws Exception {
            if (isRecorded(path)) {
                events.add(new Write(path, offset, ByteBuffer.wrap(call.bytes())));
            } else if (path.startsWith("socket:")) {
                Matcher id = ID.matcher(new String(call.bytes(), StandardCharsets.UTF_8));
                if (id.find()) {
                    events.add(new Response(id.group(1)));
                }
            }
        }

        /** Whether {@code path} is recorded. Of SQLite's shared memory nothing outlasts a cut of the power. */
        private boolean isRecorded(String path) {
            return path.equals(directory)
                    || (path.startsWith(directory + "/") && !path.endsWith("-shm"))
                    || directory.substring(0, directory.lastIndexOf('/')).equals(path);
        }

        private void add(String path, DiskEvent event) throws Exception {
            if (isRecorded(path)) {
                events.add(event);
            }
        }
    }
}
