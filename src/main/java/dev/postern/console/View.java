package dev.postern.console;

import dev.postern.store.StoreException;
import java.util.Optional;

/** What there is at one place of the console: for people a page, for programs the same as JSON. */
interface View {

    /** The name of the page's template. */
    String template();

    /** Whether its question may be too long for a query, and so be sent as a form or as JSON. */
    default boolean takesForms() {
        return false;
    }

    /**
     * What is shown now.
     *
     * @return a record that the template and JSON can be made of; empty where there is no such thing
     * @throws UnfitException when the question can't be answered
     */
    Optional<?> show(Question question) throws StoreException, UnfitException;
}
