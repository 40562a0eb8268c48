package dev.postern.acceptance;

import java.util.List;

/**
 * What came of looking for lanes whose holders are gone.
 *
 * @param lanes how many were freed
 * @param failed the runs among them that had no attempt left
 */
public record Recovered(int lanes, List<Interrupted> failed) {

    public Recovered {
        failed = List.copyOf(failed);
    }
}
