package dev.postern.console;

import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;

/** An annotation of a POST that viewers may send too, since it changes nothing. */
@Retention(RetentionPolicy.RUNTIME)
@interface ForViewers {}
