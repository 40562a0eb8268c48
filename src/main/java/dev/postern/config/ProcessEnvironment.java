package dev.postern.config;

import dev.postern.model.HomeSetting;
import java.nio.file.Path;
import java.time.ZoneId;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import java.util.Properties;
import java.util.function.Function;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * The environment of the process, as far as a configuration is read from it.
 *
 * @param jndi the server's JNDI entries, by names such as {@code hooks/token}
 * @param contextParam the web app's context-params, by name
 * @param systemProperties the system properties at start
 * @param variables the environment variables
 * @param userHome the user's home directory, which holds {@code .postern}
 * @param zone the server's time zone, read only when it is needed: reading zones takes time at start
 */
public record ProcessEnvironment(
        JndiLookup jndi,
        Function<String, Optional<String>> contextParam,
        Map<String, String> systemProperties,
        Map<String, String> variables,
        String userHome,
        Supplier<ZoneId> zone) {

    public ProcessEnvironment {
        systemProperties = Map.copyOf(systemProperties);
        variables = Map.copyOf(variables);
    }

    /**
     * The environment of this process. JNDI is read in the calling thread, whose naming context has to be the web
     * app's.
     *
     * @param contextParam {@code ServletContext::getInitParameter}, or outside a server a function that returns null
     */
    public static ProcessEnvironment ofProcess(Function<String, @Nullable String> contextParam) {
        Properties properties = System.getProperties();
        Map<String, String> texts = new LinkedHashMap<>();
        properties.stringPropertyNames().forEach(name -> texts.put(name, properties.getProperty(name)));
        return new ProcessEnvironment(
                JndiEntries.ofThread(),
                name -> Optional.ofNullable(contextParam.apply(name)),
                texts,
                System.getenv(),
                HomeSetting.userHome(texts::get, System::getenv),
                ZoneId::systemDefault);
    }

    /**
     * This environment for a configuration on trial in {@code home}. Its variables are {@code variables} alone, and nothing
     * overrides a setting.
     */
    public ProcessEnvironment forTrial(Path home, Map<String, String> variables) {
        return new ProcessEnvironment(
                JndiLookup.NONE,
                name -> Optional.empty(),
                Map.of("postern.home", home.toString()),
                variables,
                userHome,
                zone);
    }

    /** Omits the values, which may be secrets. */
    @Override
    public String toString() {
        return "Environment[userHome=" + userHome + "]";
    }
}
