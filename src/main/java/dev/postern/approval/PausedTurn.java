package dev.postern.approval;

import java.time.Duration;

/**
 * A turn that waits for operators' decisions.
 *
 * @param model the model that it goes on with, {@code <provider>/<model>}
 * @param elapsed the time that it took so far, without its pauses
 */
public record PausedTurn(String model, Duration elapsed) {}
