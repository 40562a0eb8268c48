package dev.postern.access;

import java.util.List;

/**
 * The failures of clients at every gate: at the hooks, where a token or a signature is shown, and where people and programs
 * log in by a password. Each is counted apart.
 */
public record AuthenticationLockouts(AuthenticationFailures hooks, AuthenticationFailures logins) {

    /** How many lock-outs there are now: a client that is locked out of both counts for each. */
    public long count() {
        return hooks.lockedOutClients() + logins.lockedOutClients();
    }

    /** Forgets the failures of a client at every gate; true when it was locked out of one. */
    public boolean unlock(String address) {
        boolean ofHooks = hooks.unlock(address);
        return logins.unlock(address) || ofHooks;
    }

    /** All of them. */
    List<AuthenticationFailures> all() {
        return List.of(hooks, logins);
    }
}
