package dev.postern.http;

import com.fasterxml.jackson.jakarta.rs.json.JacksonJsonProvider;
import jakarta.servlet.Servlet;
import jakarta.ws.rs.core.Application;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.glassfish.jersey.CommonProperties;
import org.glassfish.jersey.server.ResourceConfig;
import org.glassfish.jersey.server.ServerProperties;
import org.glassfish.jersey.servlet.ServletContainer;
import org.glassfish.jersey.servlet.ServletProperties;

/** An application of Jersey with the components that it is given, and nothing that Jersey would find by itself. */
public final class RestApplication extends Application {

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
            // Or a server would add a page of its own to a response that has no body.
            ServerProperties.RESPONSE_SET_STATUS_OVER_SEND_ERROR,
            // A Location that names only the path holds for whatever host and proxy the sender came by.
            ServerProperties.LOCATION_HEADER_RELATIVE_URI_RESOLUTION_DISABLED,
            ServletProperties.QUERY_PARAMS_AS_FORM_PARAMS_DISABLED);

    private final Set<Object> components;

    private RestApplication(Set<Object> components) {
        this.components = components;
    }

    /** The components of an application whose JSON is written as its records say. */
    public static Set<Object> withJson(Object... components) {
        Stream<Object> json = Stream.of(new JacksonJsonProvider(ErrorBody.JSON));
        return Stream.concat(Arrays.stream(components), json).collect(Collectors.toSet());
    }

    /** A servlet of {@code components}, resources and providers, one of which writes JSON. */
    public static Servlet servlet(Set<Object> components) {
        return new ServletContainer(ResourceConfig.forApplication(new RestApplication(components)));
    }

    @Override
    @SuppressWarnings("deprecation") // the one standard way to hand over what was made elsewhere
    public Set<Object> getSingletons() {
        return components;
    }

    @Override
    public Map<String, Object> getProperties() {
        return SWITCHED_ON.stream().collect(Collectors.toMap(name -> name, name -> true));
    }
}
