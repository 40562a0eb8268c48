package dev.postern.net;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ProxySelector;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;

/** A proxy of this JVM that answers each request, such as CONNECT, with one status. */
public final class RefusingProxy implements AutoCloseable {

    private final ProxySelector before = ProxySelector.getDefault();
    private final List<String> requests = new CopyOnWriteArrayList<>();
    private final ServerSocket server;
    private final String status;

    private RefusingProxy(String status) throws IOException {
        this.status = status;
        this.server = new ServerSocket(0, 50, InetAddress.getLoopbackAddress());
    }

    /** Starts a proxy that answers {@code status}, such as {@code 407 Proxy Authentication Required}. */
    public static RefusingProxy start(String status) throws IOException {
        RefusingProxy proxy = new RefusingProxy(status);
        new Thread(proxy::serve, "proxy").start();
        ProxySelector.setDefault(ProxySelector.of((InetSocketAddress) proxy.server.getLocalSocketAddress()));
        return proxy;
    }

    /** The first lines of the requests so far. */
    public List<String> requests() {
        return List.copyOf(requests);
    }

    private void serve() {
        while (!server.isClosed()) {
            try (Socket client = server.accept()) {
                BufferedReader head =
                        new BufferedReader(new InputStreamReader(client.getInputStream(), StandardCharsets.US_ASCII));
                requests.add(head.readLine());
                while (!head.readLine().isEmpty()) {}
                String response = "HTTP/1.1 " + status + "\r\nProxy-Authenticate: Basic realm=\"proxy\"\r\n"
                        + "Content-Length: 2\r\nConnection: close\r\n\r\nno";
                client.getOutputStream().write(response.getBytes(StandardCharsets.US_ASCII));
            } catch (IOException ended) {
                // The client or the test has ended.
            }
        }
    }

    @Override
    public void close() throws IOException {
        ProxySelector.setDefault(before);
        server.close();
    }
}
