/**
 * The classes that touch Rhino: the sandbox, the conversion of values, the TypeScript compiler.
 *
 * <p>In: programs and requests. Out: results. Called by: mapping.script, through its {@code ScriptEngine} only, because
 * these classes and Rhino have a class loader of their own.
 */
@NullMarked
package dev.postern.mapping.script.rhino;

import org.jspecify.annotations.NullMarked;
