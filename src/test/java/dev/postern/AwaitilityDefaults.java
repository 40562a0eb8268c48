package dev.postern;

import java.time.Duration;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.extension.BeforeAllCallback;
import org.junit.jupiter.api.extension.ExtensionContext;

/** An extension that lets each test wait long enough for what has to happen, on a slow and busy machine too, and not longer. */
public final class AwaitilityDefaults implements BeforeAllCallback {

    private static final Duration LONGEST = Duration.ofMinutes(1);
    private static final Duration OFTEN = Duration.ofMillis(20);

    @Override
    public void beforeAll(ExtensionContext context) {
        Awaitility.setDefaultTimeout(LONGEST);
        Awaitility.setDefaultPollInterval(OFTEN);
        Awaitility.setDefaultPollDelay(Duration.ZERO);
    }
}
