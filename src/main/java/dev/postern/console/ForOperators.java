package dev.postern.console;

import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;

/** An annotation of a GET that only operators may send, since it shows what a sender's payload says. */
@Retention(RetentionPolicy.RUNTIME)
@interface ForOperators {}
