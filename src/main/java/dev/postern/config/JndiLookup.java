package dev.postern.config;

import java.util.Collections;
import java.util.Optional;
import java.util.SortedMap;

/** A lookup of the server's JNDI entries for this web application. */
@FunctionalInterface
public interface JndiLookup {

    /** A lookup in a process without JNDI. */
    JndiLookup NONE = name -> Optional.empty();

    /**
     * The entry {@code name}, empty where nothing is bound.
     *
     * @param name the name within the web application, such as {@code hooks/token}
     */
    Optional<Entry> find(String name);

    /**
     * The names that are bound in a context of the web application alone, with their full names.
     *
     * @param context the name within the web application, such as {@code hooks}
     */
    default SortedMap<String, String> below(String context) {
        return Collections.emptySortedMap();
    }

    /** A bound name. */
    sealed interface Entry permits Bound, Unresolved {

        /** The full JNDI name. */
        String name();
    }

    /**
     * A bound value.
     *
     * @param name the full JNDI name
     * @param value a value of any type
     */
    record Bound(String name, Object value) implements Entry {

        /** Omits the value, which may be a secret. */
        @Override
        public String toString() {
            return "Bound[" + name + "]";
        }
    }

    /**
     * A name that is bound, and whose value the server can't give.
     *
     * @param name the full JNDI name
     * @param cause the kind of the error, without secrets
     */
    record Unresolved(String name, String cause) implements Entry {

        /** The problem, as a predicate after the name. */
        public String wrong() {
            return "is bound but can't be looked up (" + cause + ")";
        }

        /** The advice on the problem. */
        public String instead() {
            return "mend what the server binds there, or remove it; the server's log may say more";
        }
    }
}
