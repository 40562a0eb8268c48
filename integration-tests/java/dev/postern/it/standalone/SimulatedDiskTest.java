package dev.postern.it.standalone;

import static org.assertj.core.api.Assertions.assertThat;

import dev.postern.it.standalone.DiskEvent.Creation;
import dev.postern.it.standalone.DiskEvent.Removal;
import dev.postern.it.standalone.DiskEvent.SyncBegin;
import dev.postern.it.standalone.DiskEvent.SyncEnd;
import dev.postern.it.standalone.DiskEvent.Truncation;
import dev.postern.it.standalone.DiskEvent.Write;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.Random;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

class SimulatedDiskTest {

    private static final String FILE = "/home/data/file";
    private static final int CUTS = 200;

    private final SimulatedDisk disk = new SimulatedDisk();

    @Test
    void nameMayBeLostUntilItsDirectoryIsSynced() {
        disk.apply(new Creation(FILE, false));
        write(0, "a");
        sync(FILE);
        assertThat(states()).contains("none", "a");
        sync("/home/data");
        assertThat(states()).containsExactly("a");
    }

    @Test
    void fileIsLostWithTheNameOfItsDirectory() {
        disk.apply(new Creation("/home/data", true));
        createdFile("a");
        assertThat(states()).contains("none", "a");
        sync("/home");
        assertThat(states()).containsExactly("a");
    }

    @Test
    void removedFileMayBeThereUntilItsDirectoryIsSynced() {
        createdFile("a");
        disk.apply(new Removal(FILE));
        assertThat(states()).containsExactlyInAnyOrder("none", "a");
        sync("/home/data");
        assertThat(states()).containsExactly("none");
    }

    @Test
    void sectorHasAnyContentSinceTheLastSync() {
        createdFile("a");
        write(0, "b");
        write(0, "c");
        assertThat(states()).containsExactlyInAnyOrder("a", "b", "c");
        sync(FILE);
        assertThat(states()).containsExactly("c");
    }

    @Test
    void sectorsAreLostIndependently() {
        createdFile("a".repeat(1024));
        write(0, "b".repeat(1024));
        String a = "a".repeat(512);
        String b = "b".repeat(512);
        assertThat(states()).containsExactlyInAnyOrder(a + a, a + b, b + a, b + b);
    }

    @Test
    void syncDoesNotCoverWhatIsWrittenAfterItsBegin() {
        createdFile("a");
        disk.apply(new SyncBegin(FILE, "1"));
        write(0, "b");
        disk.apply(new SyncEnd(FILE, "1"));
        assertThat(states()).containsExactlyInAnyOrder("a", "b");
    }

    @Test
    void sizeIsAnySinceTheLastSync() {
        createdFile("abc");
        disk.apply(new Truncation(FILE, 1));
        assertThat(states()).contains("abc", "a");
        sync(FILE);
        assertThat(states()).containsExactly("a");
        disk.apply(new Truncation(FILE, 3));
        sync(FILE);
        assertThat(states()).containsExactly("a\0\0");
    }

    @Test
    void programsSeeWhatIsNotSynced() {
        createdFile("abcdef");
        write(2, "X");
        disk.apply(new Truncation(FILE, 4));
        assertThat(text(disk.contents().get(FILE))).isEqualTo("abXd");
    }

    private void createdFile(String content) {
        disk.apply(new Creation(FILE, false));
        write(0, content);
        sync(FILE);
        sync("/home/data");
    }

    private void write(long offset, String content) {
        disk.apply(new Write(FILE, offset, ByteBuffer.wrap(content.getBytes(StandardCharsets.UTF_8))));
    }

    private void sync(String path) {
        disk.apply(new SyncBegin(path, "1"));
        disk.apply(new SyncEnd(path, "1"));
    }

    /** The contents that the file has after many cuts of the power. */
    private Set<String> states() {
        return IntStream.range(0, CUTS)
                .mapToObj(seed -> text(disk.afterCut(new Random(seed)).get(FILE)))
                .collect(Collectors.toSet());
    }

    private static String text(byte[] content) {
        return content == null ? "none" : new String(content, StandardCharsets.UTF_8);
    }
}
