package dev.postern.it.standalone;

import dev.postern.it.standalone.DiskEvent.Creation;
import dev.postern.it.standalone.DiskEvent.Removal;
import dev.postern.it.standalone.DiskEvent.SyncBegin;
import dev.postern.it.standalone.DiskEvent.SyncEnd;
import dev.postern.it.standalone.DiskEvent.Truncation;
import dev.postern.it.standalone.DiskEvent.Write;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.TreeMap;
import java.util.function.Function;

/**
 * A model of a disk that loses its power. It follows {@link DiskEvent}s, and gives a state that the disk can have after each.
 *
 * <ul>
 *   <li>An fsync makes durable those changes of its file that came before its begin, once it has ended.
 *   <li>A name is created and removed durably by an fsync of its directory alone. Without it, each name may be as new or as old as any
 *       since the last one, independent of the others. POSIX promises no more.
 *   <li>The rest is in {@link SimulatedFile}.
 * </ul>
 *
 * SQLite assumes no more of a disk: see "Atomic Commit In SQLite" (sqlite.org/atomiccommit.html), section 2. Its PRAGMA
 * synchronous=FULL relies on powersafe overwrite, too (sqlite.org/psow.html): a write changes no byte beside its own.
 */
final class SimulatedDisk {

    private static final SimulatedFile NOTHING = new SimulatedFile();
    private static final SimulatedFile DIRECTORY = new SimulatedFile();

    private final Map<String, List<Entry>> names = new TreeMap<>();
    private final Map<String, Long> syncs = new HashMap<>();
    private long now;

    /** A file, or none, that a name has named since an event. */
    private record Entry(long since, SimulatedFile file) {}

    void apply(DiskEvent event) {
        now++;
        if (event instanceof Write write) {
            newest(write.path()).write(now, write.offset(), write.content());
        } else if (event instanceof Truncation truncation) {
            newest(truncation.path()).truncate(now, truncation.size());
        } else if (event instanceof Creation creation) {
            if (newest(creation.path()) == NOTHING) {
                change(creation.path(), creation.isDirectory() ? DIRECTORY : new SimulatedFile());
            }
        } else if (event instanceof Removal removal) {
            change(removal.path(), NOTHING);
        } else if (event instanceof SyncBegin begin) {
            syncs.put(begin.thread(), now);
        } else if (event instanceof SyncEnd end) {
            sync(end.path(), syncs.remove(end.thread()));
        }
    }

    /** A state that the disk can have if its power is cut now: files by their paths. */
    Map<String, byte[]> afterCut(Random random) {
        Map<String, SimulatedFile> kept = new TreeMap<>();
        names.forEach((path, entries) -> {
            int last = entries.size() - 1;
            int entry = random.nextInt(3) == 0 ? random.nextInt(last + 1) : last;
            String directory = directory(path);
            boolean isReachable = !names.containsKey(directory) || kept.containsKey(directory);
            if (isReachable && entries.get(entry).file() != NOTHING) {
                kept.put(path, entries.get(entry).file());
            }
        });
        return contents(kept, file -> file.afterCut(random));
    }

    /** The files as programs see them now. */
    Map<String, byte[]> contents() {
        Map<String, SimulatedFile> kept = new TreeMap<>();
        names.keySet().forEach(path -> kept.put(path, newest(path)));
        kept.values().removeIf(file -> file == NOTHING);
        return contents(kept, SimulatedFile::content);
    }

    private static Map<String, byte[]> contents(
            Map<String, SimulatedFile> kept, Function<SimulatedFile, byte[]> content) {
        Map<String, byte[]> contents = new TreeMap<>();
        kept.forEach((path, file) -> {
            if (file != DIRECTORY) {
                contents.put(path, content.apply(file));
            }
        });
        return contents;
    }

    private void sync(String path, long begin) {
        names.forEach((name, entries) -> {
            if (directory(name).equals(path)) {
                while (entries.size() > 1 && entries.get(1).since() < begin) {
                    entries.remove(0);
                }
            }
        });
        SimulatedFile file = newest(path);
        if (file != NOTHING && file != DIRECTORY) {
            file.sync(begin);
        }
    }

    private void change(String path, SimulatedFile file) {
        names.computeIfAbsent(path, name -> new ArrayList<>(List.of(new Entry(0, NOTHING))))
                .add(new Entry(now, file));
    }

    private SimulatedFile newest(String path) {
        List<Entry> entries = names.get(path);
        return entries == null ? NOTHING : entries.get(entries.size() - 1).file();
    }

    private static String directory(String path) {
        return path.substring(0, path.lastIndexOf('/'));
    }
}
