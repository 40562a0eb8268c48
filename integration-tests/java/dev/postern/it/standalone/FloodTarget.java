package dev.postern.it.standalone;

import java.io.IOException;

/** A Postern with a heap of 256 MiB and every {@link FloodAddress}, which has answered some wakes. */
record FloodTarget(HomeFixture home, PosternProcess postern) {

    private static final int WARM_UP = 200;

    /** Starts one on {@code home}. */
    static FloodTarget start(HomeFixture home) throws IOException {
        home.settings(
                        HomeFixture.hooks("presets: [github]", "signingSecrets: {github: a-secret-of-github-s}"),
                        "console: local")
                .environment("JDK_JAVA_OPTIONS", "-Xmx256m");
        PosternProcess postern = home.start();
        for (int i = 0; i < WARM_UP; i++) {
            WakeProbe.wake(postern.base());
        }
        return new FloodTarget(home, postern);
    }

    /** The head of a request to {@code address} that announces a body of {@code announced} bytes. */
    String head(FloodAddress address, int announced) throws IOException {
        return address.head(home, postern, announced);
    }
}
