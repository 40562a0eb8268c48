package dev.postern.it;

import java.net.URI;
import java.net.URL;
import org.jboss.arquillian.junit5.ArquillianExtension;
import org.jboss.arquillian.test.api.ArquillianResource;
import org.junit.jupiter.api.extension.ExtendWith;

/** A test of the WAR that its class deploys, on whichever server this execution has. */
@ExtendWith({FreePort.class, ArquillianExtension.class})
abstract class OnServer extends Client {

    @ArquillianResource
    private URL url;

    @Override
    final URI site() {
        return URI.create(url.toString());
    }

    @Override
    final Host host() {
        return new Host(Home.current().name());
    }
}
