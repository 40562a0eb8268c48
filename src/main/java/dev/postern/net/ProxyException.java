package dev.postern.net;

import java.net.ConnectException;

/**
 * A proxy that leads to an external service has let no connection through, so nothing was sent. Java's HTTP client takes the
 * proxy from the JVM's properties {@code https.proxyHost} and {@code http.proxyHost}.
 */
public final class ProxyException extends ConnectException {

    private static final long serialVersionUID = 1;

    /** @param status the proxy's response, such as {@code 407} */
    ProxyException(String status) {
        super("the proxy answered " + status);
    }
}
