package dev.postern.agent;

import java.util.Map;
import java.util.Set;

/** A minimal environment for a child program: the variables that any program needs, and no secret. */
public final class MinimalEnvironment {

    private static final Set<String> PASSED_ON = Set.of(
            "PATH", "HOME", "USER", "LOGNAME", "SHELL", "LANG", "LC_ALL", "LC_CTYPE", "TZ", "TMPDIR", "SystemRoot");

    private MinimalEnvironment() {}

    /** The environment of {@code program}, reduced to these variables. The caller may add others to the map. */
    public static Map<String, String> of(ProcessBuilder program) {
        Map<String, String> environment = program.environment();
        environment.keySet().retainAll(PASSED_ON);
        return environment;
    }
}
