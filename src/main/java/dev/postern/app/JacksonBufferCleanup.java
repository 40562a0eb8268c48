package dev.postern.app;

import com.fasterxml.jackson.core.util.BufferRecyclers;
import com.fasterxml.jackson.core.util.JsonRecyclerPools;

/**
 * The buffers that Jackson keeps with each thread that has read or written JSON, by a soft reference. A server's request
 * threads outlive the web application, and as long as there is memory enough each of them would keep its class loader.
 */
@SuppressWarnings("deprecation") // Jackson has no other way to the buffers of other threads.
final class JacksonBufferCleanup {

    private static final String TRACK = BufferRecyclers.SYSTEM_PROPERTY_TRACK_REUSABLE_BUFFERS;

    private JacksonBufferCleanup() {}

    /**
     * Has Jackson know all buffers that there will be; to be called before any JSON is read. It looks once whether it is to, at
     * a property of the whole process, which is therefore set for that moment only; a value that is there stays.
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

    /** Takes their buffers from all threads; to be called when no JSON is read or written any more. */
    static void release() {
        BufferRecyclers.releaseBuffers();
    }
}
