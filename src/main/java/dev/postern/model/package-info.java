/**
 * The terms of the domain, as records and sealed types.
 *
 * <p>In: nothing. Out: the types that all packages share. Called by: any package. Imports: the JDK alone.
 */
@NullMarked
package dev.postern.model;

import org.jspecify.annotations.NullMarked;
