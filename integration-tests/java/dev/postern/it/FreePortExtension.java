package dev.postern.it;

import dev.postern.it.server.PortFinder;
import org.junit.jupiter.api.extension.BeforeAllCallback;
import org.junit.jupiter.api.extension.ExtensionContext;

/**
 * An extension that finds a port for the server before Arquillian reads its configuration; {@code -Dit.port} overrides
 * it.
 */
final class FreePortExtension implements BeforeAllCallback {

    private static final String PORT = "it.port";

    @Override
    public void beforeAll(ExtensionContext context) {
        if (System.getProperty(PORT) == null) {
            System.setProperty(PORT, Integer.toString(PortFinder.free()));
        }
    }
}
