package dev.postern.mapping;

import com.fasterxml.jackson.databind.JsonNode;

/**
 * A payload that was let in, and where it arrived.
 *
 * @param hook the path below the hook prefix, without leading or trailing slash
 * @param payload any JSON value
 */
public record Arrival(String hook, JsonNode payload) {}
