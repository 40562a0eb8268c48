package dev.postern.console;

import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;

/** A mark of a POST that a viewer may send as well, since it changes nothing. */
@Retention(RetentionPolicy.RUNTIME)
@interface ForViewers {}
