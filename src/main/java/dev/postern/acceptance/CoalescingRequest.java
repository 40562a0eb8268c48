package dev.postern.acceptance;

import dev.postern.model.CoalescingRule;

/**
 * A request to make a submission part of a group, whose submissions become one run or event.
 *
 * @param groupId the hash of everything that the submissions of a group share
 */
public record CoalescingRequest(String groupId, CoalescingRule rule) {}
