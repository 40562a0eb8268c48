package dev.postern.config;

/**
 * What the value of a setting may be that is never shown: it is a secret, or may hold one.
 *
 * @param <T> what a value becomes
 */
interface WithheldKind<T> extends Kind<T> {

    @Override
    default String shown(Node node) {
        return Effective.withheld(node);
    }
}
