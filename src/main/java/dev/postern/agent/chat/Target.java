package dev.postern.agent.chat;

import org.jspecify.annotations.Nullable;

/**
 * What to ask, where, and how.
 *
 * @param baseUrl what API paths are appended to
 * @param key null for a server that wants none
 * @param model the name that the provider knows it by
 * @param http what requests go out by
 */
record Target(String baseUrl, @Nullable String key, String model, ProviderHttp http) {

    /** Leaves out the key. */
    @Override
    public String toString() {
        return "Target[" + model + "]";
    }
}
