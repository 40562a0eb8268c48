package dev.postern.console;

import dev.postern.access.Role;
import org.jspecify.annotations.Nullable;

/**
 * Who has logged in.
 *
 * @param name as the container knows it
 * @param token what each form of this visitor must send back; null where it is a program that sends its password each time
 */
record Visitor(String name, Role role, @Nullable String token) {

    boolean isOperator() {
        return role.includes(Role.OPERATOR);
    }
}
