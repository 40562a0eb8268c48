package dev.postern;

import java.time.Duration;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.extension.BeforeAllCallback;
import org.junit.jupiter.api.extension.ExtensionContext;

/** An extension that lets each test wait long enough for what has to happen, on a slow and busy machine too. */
public final class AwaitilityTimeout implements BeforeAllCallback {

    private static final Duration LONGEST = Duration.ofMinutes(1);

    @Override
    public void beforeAll(ExtensionContext context) {
        Awaitility.setDefaultTimeout(LONGEST);
    }
}
