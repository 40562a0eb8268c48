package dev.postern.console;

import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;

/** An annotation that names the template for the record that a resource's method returns. */
@Retention(RetentionPolicy.RUNTIME)
@interface PageTemplate {

    /** The name of a file beside this class's resources, without its ending. */
    String value();
}
