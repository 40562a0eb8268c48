package dev.postern.observe;

/** What a look at one part of Postern found. */
public sealed interface HealthCheck {

    /**
     * The part works.
     *
     * @param how a few words for the operator, which strangers may see too; may be empty
     */
    record Up(String how) implements HealthCheck {

        /** It works, and that is all. */
        public Up() {
            this("");
        }
    }

    /**
     * The part does not work, and requests can be taken without it.
     *
     * @param reason as in {@link Down}
     */
    record Impaired(String reason) implements HealthCheck {}

    /**
     * The part does not work.
     *
     * @param reason a sentence for the operator, which strangers may see too: no secret, no payload, no stack trace
     */
    record Down(String reason) implements HealthCheck {}
}
