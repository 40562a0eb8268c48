/**
 * Runs an operator's transform, in JavaScript or TypeScript, in a sandbox.
 *
 * <p>In: a module under the transforms root and a request as JSON. Out: a {@code ScriptResult}. Called by: mapping.
 *
 * <p>The sandbox works as follows. A script sees the language only: no Java, no files, no network, and no clock but the
 * request's. A {@link dev.postern.mapping.script.ScriptMeter} counts what it uses. An interpreter's own observer counts
 * what scripts do, but not what its built-in functions do, and one call of such a function can run for hours. Rhino is
 * therefore loaded by a class loader of its own, the {@code MeteringClassLoader}. That puts a check of the meter into every
 * loop of Rhino itself, and a limit before every large allocation. The classes that touch Rhino are in the package
 * {@code rhino}. The same loader loads them, and other packages reach them through
 * {@link dev.postern.mapping.script.ScriptEngine} only.
 */
@NullMarked
package dev.postern.mapping.script;

import org.jspecify.annotations.NullMarked;
