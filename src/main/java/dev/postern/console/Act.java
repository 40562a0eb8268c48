package dev.postern.console;

import dev.postern.store.StoreException;

/** Something that an operator may have done to one thing. */
interface Act {

    /**
     * Does it.
     *
     * @param id of the thing, as the path has it
     */
    Outcome on(String id) throws StoreException;

    /** What came of it. */
    sealed interface Outcome {

        /**
         * It is done.
         *
         * @param sentence what was done, for a person
         * @param see the place of the console that shows it
         */
        record Done(String sentence, String see) implements Outcome {}

        /** There is no such thing. */
        record Missing() implements Outcome {}

        /**
         * It can't be done to this thing now.
         *
         * @param sentence why, for a person
         */
        record Refused(String sentence) implements Outcome {}

        /**
         * It can't be done now, whatever the thing.
         *
         * @param sentence why, for a person
         */
        record Later(String sentence) implements Outcome {}
    }
}
