package dev.postern.it;

import java.util.logging.Filter;
import java.util.logging.LogRecord;

/** Keeps quiet that embedded Tomcat, which Arquillian's adapter gives a JSP servlet, has no JSP. Named in logging.properties. */
public final class WithoutJasper implements Filter {

    /** Made by java.util.logging. */
    public WithoutJasper() {}

    @Override
    public boolean isLoggable(LogRecord line) {
        return !isAboutJsp(line);
    }

    static boolean isAboutJsp(LogRecord line) {
        return line.getThrown() instanceof ClassNotFoundException missing
                && String.valueOf(missing.getMessage()).startsWith("org.apache.jasper.");
    }
}
