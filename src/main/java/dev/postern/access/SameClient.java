package dev.postern.access;

/** Tells whether what comes from two addresses is counted together: see {@link Client}. */
public final class SameClient {

    private SameClient() {}

    /** False where one of them is no numeric address; nothing is looked up. */
    public static boolean is(String one, String other) {
        long client = Client.of(one);
        return client != Client.UNKNOWN && client == Client.of(other);
    }
}
