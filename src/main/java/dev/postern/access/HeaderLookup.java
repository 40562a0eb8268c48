package dev.postern.access;

import java.util.Enumeration;
import org.jspecify.annotations.Nullable;

/** A lookup of a request's header fields, such as a servlet request's {@code getHeaders}. */
@FunctionalInterface
public interface HeaderLookup {

    /**
     * Every value of a header, each as the bytes received, one character per byte (ISO 8859-1).
     *
     * @param name the header's name, in any case
     * @return empty or null if the request does not have the header
     */
    @Nullable
    Enumeration<String> values(String name);
}
