package dev.postern.app.launch;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.postern.model.FileErrorText;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.jar.JarEntry;
import java.util.jar.JarOutputStream;
import java.util.logging.Handler;
import java.util.logging.Level;
import java.util.logging.LogRecord;
import java.util.logging.Logger;
import java.util.logging.SimpleFormatter;
import java.util.logging.StreamHandler;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A test of the directory with the unpacked WAR. */
class UnpackedWarTest {

    @TempDir
    private Path directory;

    @Test
    void leavesNothingOfAnEntryOutsideItself() throws IOException {
        Path war = war("../outside.txt");

        assertThatThrownBy(() -> UnpackedWar.of(war, directory.resolve("work")))
                .isInstanceOf(IOException.class)
                .hasMessageContaining("../outside.txt");

        assertThat(directory.resolve("work")).isEmptyDirectory();
    }

    @Test
    void leavesNothingOfDamagedFile() throws IOException {
        Path war = war("WEB-INF/web.xml", "WEB-INF/web.xml/below-a-file");

        for (int start = 0; start < 2; start++) {
            assertThatThrownBy(() -> UnpackedWar.of(war, directory.resolve("work")))
                    .isInstanceOf(IOException.class);
        }

        assertThat(directory.resolve("work")).isEmptyDirectory();
    }

    @Test
    void saysThatTheHomeIsLinkToNothing() throws IOException {
        Path war = war("WEB-INF/web.xml");
        Path home = Files.createSymbolicLink(directory.resolve("link"), directory.resolve("unmounted"));

        assertThatThrownBy(() -> UnpackedWar.of(war, home.resolve("work")))
                .isInstanceOfSatisfying(IOException.class, failed -> assertThat(FileErrorText.of(failed))
                        .isEqualTo(home + " is a link to nothing"));
    }

    @Test
    void findsWhatAnEarlierStartUnpacked() throws IOException {
        Path war = war("WEB-INF/web.xml");
        UnpackedWar first = UnpackedWar.of(war, directory.resolve("work"));
        Path mark = Files.createFile(first.directory().resolve("mark"));

        assertThat(UnpackedWar.of(war, directory.resolve("work")).directory()).isEqualTo(first.directory());
        assertThat(mark).exists();
        assertThat(first.directory().resolve("WEB-INF/web.xml")).hasContent("text");
    }

    @Test
    void deletesOtherVersionsAndInterruptedStartsAlone() throws IOException {
        Path work = directory.resolve("work");
        UnpackedWar war = UnpackedWar.of(war("WEB-INF/web.xml"), work);
        for (String left : new String[] {"postern-1-1", "unpacking-12", "unpacking-postern-2-2", "tomcat"}) {
            Files.writeString(
                    Files.createDirectories(work.resolve(left).resolve("WEB-INF"))
                            .resolve("a"),
                    "text");
        }

        war.deleteOthers();

        try (Stream<Path> kept = Files.list(work)) {
            assertThat(kept).containsExactlyInAnyOrder(war.directory(), work.resolve("tomcat"));
        }
        assertThat(war.directory().resolve("WEB-INF/web.xml")).exists();
    }

    @Test
    void warnsOfLeftoverThatCanNotBeDeleted() throws IOException {
        Path work = directory.resolve("work");
        UnpackedWar war = UnpackedWar.of(war("WEB-INF/web.xml"), work);
        Path stuck = Files.createDirectory(work.resolve("postern-" + "1".repeat(240))); // its longer name is too long
        Files.createDirectory(work.resolve("postern-1-1"));
        Files.createDirectory(work.resolve("unpacking-12"));
        List<LogRecord> log = new ArrayList<>();
        Logger logger = Logger.getLogger(UnpackedWar.class.getName());
        Handler handler = new StreamHandler() {
            @Override
            public synchronized void publish(LogRecord logged) {
                log.add(logged);
            }
        };
        logger.addHandler(handler);
        try {
            war.deleteOthers();
        } finally {
            logger.removeHandler(handler);
        }

        assertThat(log).singleElement().satisfies(logged -> {
            assertThat(logged.getLevel()).isEqualTo(Level.WARNING);
            assertThat(new SimpleFormatter().formatMessage(logged))
                    .isEqualTo(stuck + ", which an earlier start left, can't be deleted: File name too long");
        });
        try (Stream<Path> kept = Files.list(work)) {
            assertThat(kept).containsExactlyInAnyOrder(war.directory(), stuck);
        }
    }

    private Path war(String... entries) throws IOException {
        Path file = directory.resolve("a.war");
        try (JarOutputStream war = new JarOutputStream(Files.newOutputStream(file))) {
            for (String entry : entries) {
                war.putNextEntry(new JarEntry(entry));
                war.write("text".getBytes(java.nio.charset.StandardCharsets.UTF_8));
            }
        }
        return file;
    }
}
