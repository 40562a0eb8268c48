package dev.postern.access;

import java.util.Enumeration;
import org.jspecify.annotations.Nullable;

/** Where a request's header fields are looked up; a servlet request's {@code getHeaders} is one. */
@FunctionalInterface
public interface HeaderLookup {

    /**
     * Every value that the request carries under a name, each as the bytes received, one character a byte (ISO 8859-1).
     *
     * @param name in any case
     * @return empty or null when the request carries none
     */
    @Nullable
    Enumeration<String> values(String name);
}
