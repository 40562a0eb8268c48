package dev.postern.observe;

/** The result of a check of one component of Postern. */
public sealed interface HealthCheck {

    /**
     * The result for a component that works.
     *
     * @param how a few words for the operator, which anyone may see; may be empty
     */
    record Up(String how) implements HealthCheck {

        /** Creates a result without further words. */
        public Up() {
            this("");
        }
    }

    /**
     * The result for a component that does not work, although requests can be accepted without it.
     *
     * @param reason as in {@link Down}
     */
    record Impaired(String reason) implements HealthCheck {}

    /**
     * The result for a component that does not work.
     *
     * @param reason a sentence for the operator, which anyone may see: no secret, no payload, no stack trace
     */
    record Down(String reason) implements HealthCheck {}
}
