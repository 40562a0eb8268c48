/**
 * Everything that touches Rhino: the sandbox, values in and out, the TypeScript compiler.
 *
 * <p>In: programs and requests. Out: results. Called by: mapping.script, through its {@code Engine} alone, since these
 * classes and Rhino have a class loader of their own.
 */
@NullMarked
package dev.postern.mapping.script.rhino;

import org.jspecify.annotations.NullMarked;
