package dev.postern.console;

import dev.postern.access.UserRole;
import jakarta.servlet.http.HttpServletRequest;
import org.jspecify.annotations.Nullable;

/**
 * A user who has logged in.
 *
 * @param name as the container knows it
 * @param token what each form of this user must send back; null for a program that sends its password each time
 */
record ConsoleUser(String name, UserRole role, @Nullable String token) {

    private static final String ATTRIBUTE = "dev.postern.console.user";

    boolean isOperator() {
        return role.includes(UserRole.OPERATOR);
    }

    /** Notes that this user has sent {@code request}. */
    void attach(HttpServletRequest request) {
        request.setAttribute(ATTRIBUTE, this);
    }

    /**
     * The user who has sent {@code request}.
     *
     * @throws IllegalStateException for a request that {@link UserFilter} has not seen
     */
    static ConsoleUser of(HttpServletRequest request) {
        if (request.getAttribute(ATTRIBUTE) instanceof ConsoleUser user) {
            return user;
        }
        throw new IllegalStateException("a request has come by the filter of users");
    }
}
