/**
 * The launcher of {@code java -jar postern.war}: the command line, and the embedded server of {@code serve}. These classes
 * are at the WAR's root and can use only the JDK and the embedded Tomcat; the program itself is loaded from {@code WEB-INF}.
 *
 * <p>In: arguments. Out: a running server, or a report and an exit code. Called by: the JVM. Imports:
 * {@code model.HomeSetting}, which is at the root too.
 */
@NullMarked
package dev.postern.app.launch;

import org.jspecify.annotations.NullMarked;
