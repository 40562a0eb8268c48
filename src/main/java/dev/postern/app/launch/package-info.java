/**
 * {@code java -jar postern.war}: the command line, and the embedded server behind {@code serve}. These classes lie at the
 * WAR's root and see the JDK and the embedded Tomcat alone; the program itself is loaded from {@code WEB-INF}.
 *
 * <p>In: arguments. Out: a running server, or a report and an exit code. Called by: the JVM. Imports: {@code model.HomeName}, which lies
 * at the root too.
 */
@NullMarked
package dev.postern.app.launch;

import org.jspecify.annotations.NullMarked;
