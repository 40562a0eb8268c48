package dev.postern.access;

import java.util.List;

/**
 * The lock-outs of hook requests and of logins, which are counted separately.
 *
 * @param hooks the failures of hook requests, by token or signature
 * @param logins the failures of people and programs that log in by password
 */
public record AuthenticationLockouts(AuthenticationFailures hooks, AuthenticationFailures logins) {

    /** The number of lock-outs now; a client that is locked out of both counts twice. */
    public long count() {
        return hooks.lockedOutClients() + logins.lockedOutClients();
    }

    /** Forgets the failures of a client, for hooks and for logins; true if it was locked out of either. */
    public boolean unlock(String address) {
        boolean ofHooks = hooks.unlock(address);
        return logins.unlock(address) || ofHooks;
    }

    List<AuthenticationFailures> all() {
        return List.of(hooks, logins);
    }
}
