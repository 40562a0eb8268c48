package dev.postern.bench;

import com.fasterxml.jackson.jakarta.rs.json.JacksonJsonProvider;
import jakarta.ws.rs.POST;
import jakarta.ws.rs.Path;
import jakarta.ws.rs.Produces;
import jakarta.ws.rs.core.MediaType;
import java.nio.file.Files;
import org.apache.catalina.Context;
import org.apache.catalina.Wrapper;
import org.apache.catalina.connector.Connector;
import org.apache.catalina.startup.Tomcat;
import org.glassfish.jersey.server.ResourceConfig;
import org.glassfish.jersey.servlet.ServletContainer;

/** A baseline for the cost of a wake: the same Tomcat, Jersey and Jackson around a resource that stores nothing. */
public final class BareServer {

    private BareServer() {}

    /** Takes a free port and prints it in the form of the real server's ready line. */
    public static void main(String[] args) throws Exception {
        Tomcat tomcat = new Tomcat();
        tomcat.setBaseDir(Files.createTempDirectory("bare").toString());
        Connector connector = new Connector();
        connector.setPort(0);
        connector.setProperty("address", "127.0.0.1");
        tomcat.setConnector(connector);
        Context context = tomcat.addContext("", null);
        ResourceConfig application = new ResourceConfig().register(new Wakes()).register(JacksonJsonProvider.class);
        Wrapper hooks = Tomcat.addServlet(context, "hooks", new ServletContainer(application));
        hooks.setLoadOnStartup(1);
        hooks.addMapping("/hooks/*");
        tomcat.start();
        System.out.println("Bare server is ready at http://127.0.0.1:" + connector.getLocalPort() + "/hooks");
        tomcat.getServer().await();
    }

    /** A resource that reads a wake and answers as Postern does. */
    @Path("wake")
    public static final class Wakes {

        @POST
        @Produces(MediaType.APPLICATION_JSON)
        public WakeResponse wake(WakeRequest wake) {
            return new WakeResponse(true, wake.mode(), "evt_" + wake.text().length());
        }
    }

    /** The request. */
    public record WakeRequest(String text, String mode) {}

    /** The response. */
    public record WakeResponse(boolean ok, String mode, String eventId) {}
}
