package dev.postern.agent;

import java.util.Map;
import java.util.Set;

/** What a program that this one starts finds in its environment: what it needs to find its way, and no secret. */
public final class MinimalEnvironment {

    private static final Set<String> PASSED_ON = Set.of(
            "PATH", "HOME", "USER", "LOGNAME", "SHELL", "LANG", "LC_ALL", "LC_CTYPE", "TZ", "TMPDIR", "SystemRoot");

    private MinimalEnvironment() {}

    /** The environment of {@code program}, with all else taken out; what is put into it is added. */
    public static Map<String, String> of(ProcessBuilder program) {
        Map<String, String> environment = program.environment();
        environment.keySet().retainAll(PASSED_ON);
        return environment;
    }
}
