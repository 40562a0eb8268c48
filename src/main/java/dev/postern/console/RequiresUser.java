package dev.postern.console;

import jakarta.ws.rs.NameBinding;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;

/** An annotation that binds {@link UserFilter} to the resources that only users may reach. */
@NameBinding
@Retention(RetentionPolicy.RUNTIME)
@interface RequiresUser {}
