/**
 * Runs an operator's transform, JavaScript or TypeScript, where it can do no harm.
 *
 * <p>In: a module under the transforms root and a request as JSON. Out: a {@code ScriptResult}. Called by: mapping.
 *
 * <p>How harm is kept out. A script sees the language and nothing else: no Java, no files, no network, and no clock but the
 * request's. What it may use up is counted by a {@link dev.postern.mapping.script.ScriptMeter}. An interpreter's own observer
 * counts what scripts do, but not what its built-in functions do, and one call of one of those can run for hours. So Rhino is
 * loaded by a class loader of its own, the {@code MeteringLoader}, which puts a look at the meter into every loop of Rhino
 * itself and a limit before every large allocation. The classes that touch Rhino are in the package {@code rhino}; they are
 * loaded by that loader too and reached through {@link dev.postern.mapping.script.ScriptEngine} alone.
 */
@NullMarked
package dev.postern.mapping.script;

import org.jspecify.annotations.NullMarked;
