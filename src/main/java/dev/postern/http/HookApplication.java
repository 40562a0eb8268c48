package dev.postern.http;

import com.fasterxml.jackson.jakarta.rs.json.JacksonJsonProvider;
import jakarta.ws.rs.core.Application;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;
import org.glassfish.jersey.CommonProperties;
import org.glassfish.jersey.server.ServerProperties;
import org.glassfish.jersey.servlet.ServletProperties;

/** Jersey with what the hooks need and nothing that it would find by itself. */
public final class HookApplication extends Application {

    /**
     * Jersey reads it since 3.1.9. A server's Jersey (GlassFish's) finds its JSON-B although nothing is to be found, and would
     * prefer it to Jackson.
     */
    private static final String JSON_BINDING_DISABLE = "jersey.config.disableJsonBinding";

    private static final List<String> SWITCHED_ON = List.of(
            CommonProperties.FEATURE_AUTO_DISCOVERY_DISABLE,
            CommonProperties.MOXY_JSON_FEATURE_DISABLE,
            JSON_BINDING_DISABLE,
            ServerProperties.WADL_FEATURE_DISABLE,
            // A Location that names only the path holds for whatever host and proxy the sender came by.
            ServerProperties.LOCATION_HEADER_RELATIVE_URI_RESOLUTION_DISABLED,
            ServletProperties.QUERY_PARAMS_AS_FORM_PARAMS_DISABLED);

    private final Set<Object> singletons;

    /** Registers {@code hooks} and what writes its answers. */
    public HookApplication(HooksResource hooks) {
        this.singletons = Set.of(hooks, new JacksonJsonProvider(Json.MAPPER));
    }

    @Override
    @SuppressWarnings("deprecation") // the one standard way to hand over what was made elsewhere
    public Set<Object> getSingletons() {
        return singletons;
    }

    @Override
    public Map<String, Object> getProperties() {
        return SWITCHED_ON.stream().collect(Collectors.toMap(name -> name, name -> true));
    }
}
