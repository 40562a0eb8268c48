package dev.postern.console;

import dev.postern.access.LocalRequestRule;
import jakarta.inject.Singleton;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.ws.rs.GET;
import jakarta.ws.rs.Path;
import jakarta.ws.rs.PathParam;
import jakarta.ws.rs.Produces;
import jakarta.ws.rs.core.Context;
import jakarta.ws.rs.core.HttpHeaders;
import jakarta.ws.rs.core.MediaType;
import jakarta.ws.rs.core.Response;
import jakarta.ws.rs.ext.ExceptionMapper;
import java.util.function.Function;

/** The addresses of a console whose Postern has not started: each says why, in the console's own looks. */
@Path("console")
@Singleton
public final class NotStartedResource implements ExceptionMapper<Throwable> {

    private final StaticAssets assets;
    private final Function<Boolean, String> sentence;

    @Context
    private HttpServletRequest request;

    /**
     * @param sentence why, for a request that is local or is not
     */
    NotStartedResource(StaticAssets assets, Function<Boolean, String> sentence) {
        this.assets = assets;
        this.sentence = sentence;
    }

    /** A file that pages need. */
    @GET
    @Path("assets/{name}")
    @Produces(MediaType.TEXT_HTML)
    public Response asset(@PathParam("name") String name) {
        return assets.response(name);
    }

    /** Says at every other address why there is nothing yet. */
    @Override
    public Response toResponse(Throwable nothingHere) {
        String why = sentence.apply(LocalRequestRule.covers(request));
        return new ConsoleError(503, "unavailable", "Postern has not started", why)
                .response()
                .header(HttpHeaders.RETRY_AFTER, "5")
                .build();
    }
}
