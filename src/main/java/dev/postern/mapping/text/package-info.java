/**
 * Operations on text whose running time depends only on the length, whatever a sender writes.
 *
 * <p>In: a text of a payload. Out: a text. Called by: mapping.template and mapping.script.
 */
@NullMarked
package dev.postern.mapping.text;

import org.jspecify.annotations.NullMarked;
