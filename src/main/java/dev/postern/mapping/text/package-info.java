/**
 * Operations on texts that take time by their length alone, whatever a stranger writes into them.
 *
 * <p>In: a text of a payload. Out: a text. Called by: mapping.template and mapping.script.
 */
@NullMarked
package dev.postern.mapping.text;

import org.jspecify.annotations.NullMarked;
