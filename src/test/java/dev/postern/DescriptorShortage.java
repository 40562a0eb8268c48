package dev.postern;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.Closeable;
import java.io.FileInputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;

/** A shortage of file descriptors, in a program of its own, so that no other test lacks them. */
public final class DescriptorShortage {

    private DescriptorShortage() {}

    /**
     * The output of a program that may have few file descriptors.
     *
     * @param program the class with its {@code main}
     * @param directory a directory for a file with the output
     */
    public static String output(Class<?> program, Path directory, String... arguments) throws Exception {
        Path output = directory.resolve("output");
        Stream<String> command = Stream.of(
                "sh",
                "-c",
                "ulimit -n 300; exec \"$0\" -XX:-MaxFDLimit -cp \"$@\"",
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                System.getProperty("java.class.path"),
                program.getName());
        Process process = new ProcessBuilder(
                        Stream.concat(command, Stream.of(arguments)).toList())
                .redirectErrorStream(true)
                .redirectOutput(output.toFile())
                .start();
        try {
            assertThat(process.waitFor(90, TimeUnit.SECONDS)).isTrue();
        } finally {
            process.destroyForcibly();
        }
        return Files.readString(output, StandardCharsets.UTF_8);
    }

    /** Takes all file descriptors of this program, until the files are closed. */
    public static List<Closeable> begin() {
        List<Closeable> files = new ArrayList<>();
        try {
            while (true) {
                files.add(new FileInputStream("/dev/null"));
            }
        } catch (IOException full) {
            return files;
        }
    }

    /** Closes {@code files}. */
    public static void end(List<Closeable> files) throws IOException {
        for (Closeable file : files) {
            file.close();
        }
    }
}
