package dev.postern.it;

import java.net.URI;
import java.net.URL;
import org.jboss.arquillian.junit5.ArquillianExtension;
import org.jboss.arquillian.test.api.ArquillianResource;
import org.junit.jupiter.api.extension.ExtendWith;

/** A base class for tests of the WAR that each test class deploys, on the server of this execution. */
@ExtendWith({FreePortExtension.class, ArquillianExtension.class})
abstract class DeploymentFixture extends PosternClient {

    @ArquillianResource
    private URL url;

    @Override
    final URI site() {
        return URI.create(url.toString());
    }

    @Override
    final DeploymentHost host() {
        return new DeploymentHost(DeploymentHome.current().name());
    }
}
