package dev.postern.app;

import dev.postern.config.Configuration;
import dev.postern.config.Configuration.Configured;
import dev.postern.config.Configuration.Refused;
import dev.postern.config.ConfigurationLoader;
import dev.postern.config.Environment;
import java.io.PrintStream;

/** The command {@code check}: everything that a start would find wrong with the configuration, without starting. */
public final class Check {

    private Check() {}

    /**
     * Checks this process's configuration and reports to {@code out}. Changes nothing.
     *
     * @return 0 where a start would work, else 1
     */
    public static int run(PrintStream out) {
        Configuration configuration =
                new ConfigurationLoader(Environment.ofProcess(name -> null)).load(ConfigurationLoader.Mode.CHECK);
        configuration.warnings().forEach(warning -> out.println("warning: " + warning));
        if (configuration instanceof Refused refused) {
            refused.problems().forEach(problem -> out.println("problem: " + problem));
            return 1;
        }
        out.println("ok: " + ((Configured) configuration).summary());
        return 0;
    }
}
