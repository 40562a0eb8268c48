package dev.postern.http;

import jakarta.ws.rs.core.Application;
import java.util.Map;
import java.util.Set;
import org.glassfish.jersey.CommonProperties;
import org.glassfish.jersey.server.ServerProperties;
import org.glassfish.jersey.servlet.ServletProperties;

/** Jersey with what the hooks need and nothing that it would find by itself. */
public final class HookApplication extends Application {

    private final Set<Object> singletons;

    /** Registers {@code hooks} and what writes its answers. */
    public HookApplication(HooksResource hooks) {
        this.singletons = Set.of(hooks, new HookCall.Reader(), new JsonAnswer.Writer());
    }

    @Override
    @SuppressWarnings("deprecation") // the one standard way to hand over what was made elsewhere
    public Set<Object> getSingletons() {
        return singletons;
    }

    @Override
    public Map<String, Object> getProperties() {
        return Map.of(
                CommonProperties.FEATURE_AUTO_DISCOVERY_DISABLE, true,
                CommonProperties.MOXY_JSON_FEATURE_DISABLE, true,
                ServerProperties.WADL_FEATURE_DISABLE, true,
                // A Location that names only the path holds for whatever host and proxy the sender came by.
                ServerProperties.LOCATION_HEADER_RELATIVE_URI_RESOLUTION_DISABLED, true,
                ServletProperties.QUERY_PARAMS_AS_FORM_PARAMS_DISABLED, true);
    }
}
