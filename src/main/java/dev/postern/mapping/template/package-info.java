/**
 * The operator's templates: FreeMarker over a request's payload, and the {@code {{a.b}}} placeholders of other systems.
 *
 * <p>In: a template's text once, at start; a {@link dev.postern.mapping.template.TemplateInput} per request. Out: text, or
 * a located fault that holds nothing of the payload. Called by: mapping. Imports: nothing of Postern.
 *
 * <p>A template is read by FreeMarker, checked node by node against what is allowed here, and written anew with guards
 * around every value ({@link dev.postern.mapping.template.ExpressionGuard}). What FreeMarker then runs can't reach
 * anything but the request, and each of its steps has a bound.
 */
@NullMarked
package dev.postern.mapping.template;

import org.jspecify.annotations.NullMarked;
