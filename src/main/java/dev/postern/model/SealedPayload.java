package dev.postern.model;

/**
 * The payload of a request, encrypted with the operator's key.
 *
 * @param keyId the first characters of the key's hash, by which an operator tells keys apart
 * @param bytes the encrypted headers, query and body
 */
@SuppressWarnings("ArrayRecordComponent") // the bytes are handed on, never compared
public record SealedPayload(String keyId, byte[] bytes) {}
