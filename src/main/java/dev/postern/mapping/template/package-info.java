/**
 * The operator's templates: FreeMarker over a request's payload, and the {@code {{a.b}}} placeholders of other systems.
 *
 * <p>In: a template's text once, at start; a {@link dev.postern.mapping.template.TemplateInput} per request. Out: text, or
 * an error with its position that holds nothing of the payload. Called by: mapping. Imports: nothing of Postern.
 *
 * <p>FreeMarker parses a template. Each node is checked against what is allowed here, and the template is written again
 * with guards around every value ({@link dev.postern.mapping.template.ExpressionRewriter}). The template that FreeMarker
 * then runs can reach nothing but the request, and each of its steps has a limit.
 *
 * <p>A common meter for templates and scripts was tried: FreeMarker in the scripts' metering class loader, rendered on a
 * script thread. The limit was 10 µs more for the templates of {@code MappingBench}, which take 5 µs here (medians, 2
 * cores, JDK 17, under load). With the meter they took 14 µs if the script thread woke on the same core, and 43 µs or more
 * on the other one. The counting cost less than 1 µs of that, the hand-over nearly all the rest, so the meter was rejected.
 * It ended all attacks on templates only once this package was metered too and {@code toLowerCase()} and
 * {@code toUpperCase()} were replaced. Even then one {@code ?sort} allocated 1.3 GiB on a budget of 64 MiB. Without these
 * two changes, one {@code ?capitalize} ran for 245 s.
 */
@NullMarked
package dev.postern.mapping.template;

import org.jspecify.annotations.NullMarked;
