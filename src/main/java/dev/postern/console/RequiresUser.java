package dev.postern.console;

import jakarta.ws.rs.NameBinding;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;

/** A binding of {@link UserFilter} to resources that only a user may reach. */
@NameBinding
@Retention(RetentionPolicy.RUNTIME)
@interface RequiresUser {}
