package dev.postern.app;

import com.fasterxml.jackson.core.util.BufferRecyclers;
import com.fasterxml.jackson.core.util.JsonRecyclerPools;

/**
 * A cleanup of the buffers that Jackson keeps, by a soft reference, for each thread that has read or written JSON. A server's
 * request threads outlive the web application. Each of them would keep its class loader until memory runs short.
 */
@SuppressWarnings("deprecation") // Jackson has no other way to the buffers of other threads.
final class JacksonBufferCleanup {

    private static final String TRACK = BufferRecyclers.SYSTEM_PROPERTY_TRACK_REUSABLE_BUFFERS;

    private JacksonBufferCleanup() {}

    /**
     * Makes Jackson track all buffers; has to be called before any JSON is read. Jackson reads the setting once, from a
     * system property of the whole process. The property is therefore set for that moment only; an existing value stays.
     */
    static void track() {
        boolean ours = System.getProperty(TRACK) == null;
        if (ours) {
            System.setProperty(TRACK, "true");
        }
        try {
            var unused = JsonRecyclerPools.threadLocalPool().acquirePooled();
        } finally {
            if (ours) {
                System.clearProperty(TRACK);
            }
        }
    }

    /** Releases the buffers of all threads; has to be called when no JSON is read or written any more. */
    static void release() {
        BufferRecyclers.releaseBuffers();
    }
}
