package dev.postern.app;

import java.util.List;

/** A start that can't be gone on with, in words for the operator. */
final class StartFailure extends Exception {

    private static final long serialVersionUID = 1L;

    private final List<String> problems;

    /**
     * @param problems one or more, each with what to do about it
     */
    StartFailure(List<String> problems) {
        super(String.join("; ", problems));
        this.problems = List.copyOf(problems);
    }

    List<String> problems() {
        return problems;
    }
}
