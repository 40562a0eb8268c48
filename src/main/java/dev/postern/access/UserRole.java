package dev.postern.access;

import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.function.Predicate;

/** What a user of the container may do here, as {@code web.xml} declares it; later ones include the earlier. */
public enum UserRole {
    /** May look at everything that is shown. */
    VIEWER("postern-viewer"),
    /** May act, too. */
    OPERATOR("postern-operator");

    private final String declared;

    UserRole(String declared) {
        this.declared = declared;
    }

    /** The name that the container knows it by. */
    public String declared() {
        return declared;
    }

    /**
     * The most that somebody may do.
     *
     * @param isIn whether the user has a role by its declared name, as {@code HttpServletRequest.isUserInRole} says it
     */
    public static Optional<UserRole> of(Predicate<String> isIn) {
        List<UserRole> all = Arrays.asList(values());
        return all.stream().filter(role -> isIn.test(role.declared)).max(UserRole::compareTo);
    }

    /** Whether this includes {@code other}. */
    public boolean includes(UserRole other) {
        return compareTo(other) >= 0;
    }
}
