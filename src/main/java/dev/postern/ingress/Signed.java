package dev.postern.ingress;

import org.jspecify.annotations.Nullable;

/**
 * What the sender of a payload has signed.
 *
 * @param alone true where nothing but the signature let the payload in, which opens the mappings of its own path and no others
 * @param sha256 in hex, the hash of the bytes that the signature covers
 * @param deliveryId the sender's own id of the delivery, where the signature covers one; else null
 */
public record Signed(boolean alone, String sha256, @Nullable String deliveryId) {}
