package dev.postern.it.server;

import java.io.IOException;
import java.net.HttpURLConnection;
import java.net.URI;

/** A check of {@code /health/live}, which a deployed Postern answers with 200, whether it could start or not. */
final class LivenessProbe {

    private static final int PATIENCE_MILLIS = 5_000;

    private LivenessProbe() {}

    static boolean of(URI site) {
        try {
            HttpURLConnection call =
                    (HttpURLConnection) site.resolve("health/live").toURL().openConnection();
            call.setConnectTimeout(PATIENCE_MILLIS);
            call.setReadTimeout(PATIENCE_MILLIS);
            return call.getResponseCode() == HttpURLConnection.HTTP_OK;
        } catch (IOException notYet) {
            return false;
        }
    }
}
