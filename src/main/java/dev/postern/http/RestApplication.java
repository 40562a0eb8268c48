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

/** A Jersey application of exactly the given components, without those that Jersey would find itself. */
public final class RestApplication extends Application {

    /**
     * A property that Jersey reads since 3.1.9. GlassFish's own Jersey finds its JSON-B although discovery is switched
     * off, and would prefer it to Jackson.
     */
    private static final String JSON_BINDING_DISABLE = "jersey.config.disableJsonBinding";

    private static final List<String> SWITCHED_ON = List.of(
            CommonProperties.FEATURE_AUTO_DISCOVERY_DISABLE,
            CommonProperties.MOXY_JSON_FEATURE_DISABLE,
            JSON_BINDING_DISABLE,
            ServerProperties.WADL_FEATURE_DISABLE,
            // Otherwise a server would add a page of its own to a response without a body.
            ServerProperties.RESPONSE_SET_STATUS_OVER_SEND_ERROR,
            // A Location with only the path is right for every host and proxy that a sender may use.
            ServerProperties.LOCATION_HEADER_RELATIVE_URI_RESOLUTION_DISABLED,
            ServletProperties.QUERY_PARAMS_AS_FORM_PARAMS_DISABLED);

    private final Set<Object> components;

    private RestApplication(Set<Object> components) {
        this.components = components;
    }

    /** The given components, together with a provider that writes records as JSON. */
    public static Set<Object> withJson(Object... components) {
        Stream<Object> json = Stream.of(new JacksonJsonProvider(ErrorBody.JSON));
        return Stream.concat(Arrays.stream(components), json).collect(Collectors.toSet());
    }

    /** A servlet of {@code components}: resources and providers, one of which writes JSON. */
    public static Servlet servlet(Set<Object> components) {
        return new ServletContainer(ResourceConfig.forApplication(new RestApplication(components)));
    }

    @Override
    @SuppressWarnings("deprecation") // the only standard way to pass existing instances
    public Set<Object> getSingletons() {
        return components;
    }

    @Override
    public Map<String, Object> getProperties() {
        return SWITCHED_ON.stream().collect(Collectors.toMap(name -> name, name -> true));
    }
}
