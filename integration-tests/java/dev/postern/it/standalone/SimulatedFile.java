package dev.postern.it.standalone;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import java.util.TreeMap;

/**
 * A file of a {@link SimulatedDisk}. A cut of the power leaves it like this:
 *
 * <ul>
 *   <li>Each sector of 512 bytes is as it was at the last sync or after any write since, independent of the others. A sector is
 *       written as a whole.
 *   <li>Its size is that of the last sync or any since, independent of the content.
 *   <li>A sector that belongs to the file and was never written has zeros, or garbage if the file got longer by it since the last sync.
 * </ul>
 */
final class SimulatedFile {

    private static final int SECTOR = 512;

    /** The content at the last sync, and zeros. */
    private byte[] synced = new byte[0];

    private final TreeMap<Integer, List<Version>> unsynced = new TreeMap<>();
    private final List<Size> sizes = new ArrayList<>(List.of(new Size(0, 0)));

    /** The whole content of a sector after an event. */
    private static final class Version {

        private final long event;
        private final byte[] bytes;

        Version(long event, byte[] bytes) {
            this.event = event;
            this.bytes = bytes;
        }
    }

    private record Size(long event, long bytes) {}

    /** @param event the number of the event, higher than all before */
    void write(long event, long offset, byte[] bytes) {
        long end = offset + bytes.length;
        for (long sector = offset / SECTOR; sector * SECTOR < end; sector++) {
            long start = sector * SECTOR;
            byte[] version = newest((int) sector).clone();
            int from = (int) Math.max(offset, start);
            int to = (int) Math.min(end, start + SECTOR);
            System.arraycopy(bytes, (int) (from - offset), version, (int) (from - start), to - from);
            add(event, (int) sector, version);
        }
        if (end > size()) {
            sizes.add(new Size(event, end));
        }
    }

    void truncate(long event, long size) {
        for (long start = size / SECTOR * SECTOR; start < size(); start += SECTOR) {
            byte[] version = newest((int) (start / SECTOR)).clone();
            Arrays.fill(version, (int) Math.max(0, size - start), SECTOR, (byte) 0);
            add(event, (int) (start / SECTOR), version);
        }
        sizes.add(new Size(event, size));
    }

    /** Makes the changes before {@code event} durable. */
    void sync(long event) {
        int before = (int) sizes.get(0).bytes();
        while (sizes.size() > 1 && sizes.get(1).event() < event) {
            sizes.remove(0);
        }
        int size = (int) sizes.get(0).bytes();
        if (size > synced.length) {
            synced = Arrays.copyOf(synced, Math.max(size, 2 * synced.length));
        }
        unsynced.forEach((sector, versions) -> {
            while (!versions.isEmpty() && versions.get(0).event < event) {
                put(synced, sector, versions.remove(0).bytes);
            }
        });
        unsynced.values().removeIf(List::isEmpty);
        Arrays.fill(synced, size, Math.max(size, Math.min(before, synced.length)), (byte) 0);
    }

    byte[] content() {
        byte[] content = Arrays.copyOf(synced, (int) size());
        unsynced.keySet().forEach(sector -> put(content, sector, newest(sector)));
        return content;
    }

    byte[] afterCut(Random random) {
        double newest = List.of(0.0, 0.5, 0.9, 0.99, 1.0).get(random.nextInt(5));
        int last = sizes.size() - 1;
        byte[] content =
                Arrays.copyOf(synced, (int) sizes.get(random.nextDouble() < newest ? last : random.nextInt(last + 1))
                        .bytes());
        boolean isGarbage = random.nextBoolean();
        unsynced.forEach((sector, versions) -> {
            int chosen = random.nextDouble() < newest ? versions.size() : random.nextInt(versions.size() + 1);
            if (chosen > 0) {
                put(content, sector, versions.get(chosen - 1).bytes);
            } else if (isGarbage && sector * SECTOR >= sizes.get(0).bytes()) {
                byte[] garbage = new byte[SECTOR];
                random.nextBytes(garbage);
                put(content, sector, garbage);
            }
        });
        return content;
    }

    private void add(long event, int sector, byte[] version) {
        unsynced.computeIfAbsent(sector, unknown -> new ArrayList<>()).add(new Version(event, version));
    }

    private byte[] newest(int sector) {
        List<Version> versions = unsynced.get(sector);
        if (versions != null) {
            return versions.get(versions.size() - 1).bytes;
        }
        int start = Math.min(sector * SECTOR, synced.length);
        return Arrays.copyOf(Arrays.copyOfRange(synced, start, Math.min(start + SECTOR, synced.length)), SECTOR);
    }

    private long size() {
        return sizes.get(sizes.size() - 1).bytes();
    }

    private static void put(byte[] content, int sector, byte[] bytes) {
        int start = sector * SECTOR;
        if (start < content.length) {
            System.arraycopy(bytes, 0, content, start, Math.min(SECTOR, content.length - start));
        }
    }
}
