package dev.postern.net;

import dev.postern.net.BackgroundFetcher.Fetched;
import java.net.URI;
import java.util.Optional;

/** A source of documents at addresses. */
@FunctionalInterface
public interface DocumentSource {

    /** The response of {@code address} to a GET; empty while it is not known. */
    Optional<Fetched> find(URI address);

    /** Asks for the document at {@code address}, which {@link #find} may return later. By default nothing is asked for. */
    default void request(URI address) {}
}
