package dev.postern.it;

import java.net.URI;
import org.jboss.arquillian.container.test.api.Deployer;
import org.jboss.arquillian.junit5.ArquillianExtension;
import org.jboss.arquillian.test.api.ArquillianResource;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.extension.ExtendWith;

/** A test that deploys and undeploys by itself, one WAR after the other. */
@ExtendWith({FreePort.class, ArquillianExtension.class})
abstract class Redeploying extends Client {

    @ArquillianResource
    private Deployer deployer;

    private String deployed = "";

    @AfterEach
    final void undeployWhatIsLeft() {
        if (!deployed.isEmpty()) {
            undeploy();
        }
    }

    /** Deploys what this class calls {@code name}, to start in {@code home}. */
    final void deploy(String name, Home home) {
        home.use();
        deployer.deploy(name);
        deployed = name;
    }

    final void undeploy() {
        deployer.undeploy(deployed);
        deployed = "";
    }

    @Override
    final URI site() {
        return host().site();
    }

    @Override
    final Host host() {
        return new Host(deployed);
    }
}
