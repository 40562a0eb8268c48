package dev.postern.net;

import java.util.LinkedHashMap;
import java.util.Map;

/** A map that removes the least recently used entry when there are too many. For use by one thread at a time. */
public final class LruMap<K, V> extends LinkedHashMap<K, V> {

    private static final long serialVersionUID = 1L;

    private final int most;

    /** @param most the most entries that stay */
    public LruMap(int most) {
        super(16, 0.75f, true);
        this.most = most;
    }

    @Override
    protected boolean removeEldestEntry(Map.Entry<K, V> eldest) {
        return size() > most;
    }
}
