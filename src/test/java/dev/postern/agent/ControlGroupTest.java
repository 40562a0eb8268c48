package dev.postern.agent;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assumptions.assumeThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.UUID;
import org.junit.jupiter.api.Test;

class ControlGroupTest {

    private static final String OTHER_MOUNT = "31 23 0:28 / /sys/fs/cgroup rw,relatime - tmpfs tmpfs rw,mode=755";

    /** The group of the processes that carry {@code mark}; the test is skipped if control groups are not available. */
    static ControlGroup of(ProcessMarker mark) {
        assumeThat(ControlGroup.parentDirectory())
                .as("A control group (cgroup v2) of this process that it may write to")
                .isPresent();
        return ControlGroup.of(mark).orElseThrow();
    }

    @Test
    void findsNoGroupWithoutMountOfTheSecondVersion() {
        assertThat(ControlGroup.ownGroups(List.of(OTHER_MOUNT), List.of("0::/")))
                .isEmpty();
    }

    @Test
    void findsNoGroupOfProcessThatIsInFirstVersionAlone() {
        assertThat(ControlGroup.ownGroups(List.of(mount("/", "/sys/fs/cgroup")), List.of("4:memory:/a", "1:cpu:/a")))
                .isEmpty();
    }

    @Test
    void findsNoGroupOutsideOfWhatIsMounted() {
        assertThat(ControlGroup.ownGroups(List.of(mount("/b", "/sys/fs/cgroup")), List.of("0::/a")))
                .isEmpty();
    }

    @Test
    void findsGroupWhereverItsTreeIsMounted() {
        List<String> mounts = List.of(OTHER_MOUNT, mount("/", "/sys/fs/cgroup/unified"), mount("/a", "/groups"));

        assertThat(ControlGroup.ownGroups(mounts, List.of("1:name=systemd:/c", "0::/a/b.service")))
                .containsExactly(Path.of("/sys/fs/cgroup/unified/a/b.service"), Path.of("/groups/b.service"));
    }

    @Test
    void findsGroupThatIsTheRootOfWhatIsMounted() {
        assertThat(ControlGroup.ownGroups(List.of(mount("/a", "/sys/fs/cgroup")), List.of("0::/a")))
                .containsExactly(Path.of("/sys/fs/cgroup"));
    }

    @Test
    void removesGroupsInWhichNothingRuns() throws IOException {
        ControlGroup group =
                of(new ProcessMarker("POSTERN_TEST", UUID.randomUUID().toString()));
        Path parent = group.open().orElseThrow().getParent();
        try {
            Path unused =
                    Files.createDirectories(parent.resolve("postern-1/below")).getParent();
            Path another = Files.createDirectory(parent.resolve("other"));

            ControlGroup.removeUnused(parent);

            assertThat(unused).doesNotExist();
            assertThat(another).exists();
        } finally {
            group.remove();
        }
        assertThat(parent).doesNotExist();
    }

    private static String mount(String root, String place) {
        return "41 31 0:38 " + root + " " + place + " rw,relatime shared:9 - cgroup2 cgroup2 rw,nsdelegate";
    }
}
