package dev.postern.access;

import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.function.Predicate;

/** A role of a container's user, as {@code web.xml} declares it; later ones include the earlier. */
public enum UserRole {
    /** May view everything that is shown. */
    VIEWER("postern-viewer"),
    /** May also act. */
    OPERATOR("postern-operator");

    private final String declared;

    UserRole(String declared) {
        this.declared = declared;
    }

    /** The name by which the container knows the role. */
    public String declared() {
        return declared;
    }

    /**
     * The user's highest role; empty without any.
     *
     * @param isIn whether the user has a role by its declared name, as in {@code HttpServletRequest.isUserInRole}
     */
    public static Optional<UserRole> of(Predicate<String> isIn) {
        List<UserRole> all = Arrays.asList(values());
        return all.stream().filter(role -> isIn.test(role.declared)).max(UserRole::compareTo);
    }

    /** Whether this role includes {@code other}. */
    public boolean includes(UserRole other) {
        return compareTo(other) >= 0;
    }
}
