package dev.postern.agent;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.net.URL;
import java.net.URLClassLoader;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class ProgramLauncherTest {

    /** More than the idle threads that other tests may have left. */
    private static final int AT_ONCE = 8;

    private final ClassLoader before = Thread.currentThread().getContextClassLoader();
    private final ProcessMarker mark = new ProcessMarker("POSTERN_TEST", "cat");
    private final List<Process> programs = new ArrayList<>();

    @AfterEach
    void end() {
        ProcessTree.endAll(mark);
        programs.forEach(Process::destroy);
        Thread.currentThread().setContextClassLoader(before);
    }

    @Test
    void leavesNoClassLoaderWithTheThreadsThatWaitForItsEnd() throws IOException {
        try (URLClassLoader ours = new URLClassLoader(new URL[0])) {
            Thread.currentThread().setContextClassLoader(ours);

            for (int i = 0; i < AT_ONCE; i++) {
                programs.add(ProgramLauncher.start(new ProcessBuilder("cat"), mark));
            }

            assertThat(Thread.currentThread().getContextClassLoader()).isSameAs(ours);
            assertThat(Thread.getAllStackTraces().keySet())
                    .filteredOn(thread -> thread.getName().startsWith("process reaper"))
                    .hasSizeGreaterThanOrEqualTo(AT_ONCE)
                    .noneMatch(thread -> thread.getContextClassLoader() == ours);
        }
    }
}
