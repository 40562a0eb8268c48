package dev.postern.console;

import dev.postern.access.UserRole;
import jakarta.servlet.http.HttpServletRequest;
import org.jspecify.annotations.Nullable;

/**
 * A user who has logged in.
 *
 * @param name the container's name for the user
 * @param role the higher of the user's roles
 * @param token the CSRF token that each form of this user must send back; null for a program that sends its password each
 *     time
 */
record ConsoleUser(String name, UserRole role, @Nullable String token) {

    private static final String ATTRIBUTE = "dev.postern.console.user";

    boolean isOperator() {
        return role.includes(UserRole.OPERATOR);
    }

    /** Attaches this user to {@code request} as its sender. */
    void attach(HttpServletRequest request) {
        request.setAttribute(ATTRIBUTE, this);
    }

    /**
     * The user who has sent {@code request}.
     *
     * @throws IllegalStateException for a request that has bypassed {@link UserFilter}
     */
    static ConsoleUser of(HttpServletRequest request) {
        if (request.getAttribute(ATTRIBUTE) instanceof ConsoleUser user) {
            return user;
        }
        throw new IllegalStateException("a request has bypassed the filter of users");
    }
}
