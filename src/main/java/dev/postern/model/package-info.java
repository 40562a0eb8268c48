/**
 * The words of the domain, as records and sealed types.
 *
 * <p>In: nothing. Out: what every room speaks. Anyone may import it; it imports the JDK alone.
 */
@NullMarked
package dev.postern.model;

import org.jspecify.annotations.NullMarked;
