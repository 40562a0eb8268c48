package dev.postern.app;

import dev.postern.config.Configuration;
import dev.postern.config.ConfigurationLoader;
import dev.postern.config.Environment;
import dev.postern.console.Checking;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/** Reads the configuration of a Postern that runs once more, and changes nothing by it. */
final class Rechecking implements Checking {

    private final Function<String, @Nullable String> contextParam;

    /**
     * @param contextParam {@code ServletContext::getInitParameter}
     */
    Rechecking(Function<String, @Nullable String> contextParam) {
        this.contextParam = contextParam;
    }

    @Override
    public Configuration now() {
        return new ConfigurationLoader(Environment.ofProcess(contextParam)).load(ConfigurationLoader.Mode.CHECK);
    }

    @Override
    public Findings findings(Configuration configuration) {
        return ConfigurationCheck.of(configuration);
    }
}
