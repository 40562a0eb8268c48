package dev.postern.channel;

import java.util.List;
import org.jspecify.annotations.Nullable;

/** A channel that takes any recipient and sends a reply whole. */
@FunctionalInterface
public interface StubChannel extends Channel {

    @Override
    default List<String> parts(String reply) {
        return List.of(reply);
    }

    @Override
    default @Nullable String refusal(@Nullable String to) {
        return null;
    }

    @Override
    default Probe probe() {
        return new Probe.Good(null);
    }
}
