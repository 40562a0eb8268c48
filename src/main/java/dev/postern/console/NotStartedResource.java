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

/** The root resource of a console whose Postern has not started: each address says why, in the console's own design. */
@Path("console")
@Singleton
public final class NotStartedResource implements ExceptionMapper<Throwable> {

    private final StaticAssets assets;
    private final Function<Boolean, String> sentence;

    @Context
    private HttpServletRequest request;

    /**
     * @param sentence the reason, for a local request (true) or any other (false)
     */
    NotStartedResource(StaticAssets assets, Function<Boolean, String> sentence) {
        this.assets = assets;
        this.sentence = sentence;
    }

    /** A style sheet, script or picture of the pages. */
    @GET
    @Path("assets/{name}")
    @Produces(MediaType.TEXT_HTML)
    public Response asset(@PathParam("name") String name) {
        return assets.response(name);
    }

    /** The response of every other address, which says why Postern has not started. */
    @Override
    public Response toResponse(Throwable nothingHere) {
        String why = sentence.apply(LocalRequestRule.covers(request));
        return new ConsoleError(503, "unavailable", "Postern has not started", why)
                .response()
                .header(HttpHeaders.RETRY_AFTER, "5")
                .build();
    }
}
