package dev.postern.it;

import java.net.URI;
import java.util.ArrayDeque;
import java.util.Deque;
import org.jboss.arquillian.container.test.api.Deployer;
import org.jboss.arquillian.junit5.ArquillianExtension;
import org.jboss.arquillian.test.api.ArquillianResource;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.extension.ExtendWith;

/** A base class for tests that deploy and undeploy by themselves. Requests go to the latest deployment. */
@ExtendWith({FreePortExtension.class, ArquillianExtension.class})
abstract class RedeploymentFixture extends PosternClient {

    @ArquillianResource
    private Deployer deployer;

    private final Deque<String> deployed = new ArrayDeque<>();

    @AfterEach
    final void undeployWhatIsLeft() {
        while (!deployed.isEmpty()) {
            undeploy();
        }
    }

    /** Deploys what this class calls {@code name}, to start in {@code home}; what talks to it, also later on. */
    final PosternClient deploy(String name, DeploymentHome home) {
        home.use();
        deployer.deploy(name);
        deployed.push(name);
        return new DeployedClient(name, home);
    }

    /** Undeploys what was deployed last. */
    final void undeploy() {
        deployer.undeploy(deployed.pop());
    }

    /** Undeploys {@code name}. */
    final void undeploy(String name) {
        deployed.remove(name);
        deployer.undeploy(name);
    }

    @Override
    final URI site() {
        return host().site();
    }

    @Override
    final DeploymentHost host() {
        return new DeploymentHost(deployed.isEmpty() ? "" : deployed.peek());
    }

    private static final class DeployedClient extends PosternClient {

        private final String name;
        private final DeploymentHome home;

        private DeployedClient(String name, DeploymentHome home) {
            this.name = name;
            this.home = home;
        }

        @Override
        URI site() {
            return host().site();
        }

        @Override
        DeploymentHost host() {
            return new DeploymentHost(name);
        }

        @Override
        DeploymentHome home() {
            return home;
        }
    }
}
