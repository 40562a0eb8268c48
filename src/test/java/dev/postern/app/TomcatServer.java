package dev.postern.app;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.CookieManager;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Base64;
import java.util.Hashtable;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import javax.naming.Name;
import javax.naming.Reference;
import javax.naming.spi.ObjectFactory;
import org.apache.catalina.Context;
import org.apache.catalina.LifecycleException;
import org.apache.catalina.authenticator.BasicAuthenticator;
import org.apache.catalina.core.StandardContext;
import org.apache.catalina.startup.Tomcat;
import org.apache.tomcat.util.descriptor.web.ContextEnvironment;
import org.apache.tomcat.util.descriptor.web.ContextResource;
import org.apache.tomcat.util.descriptor.web.ContextResourceLink;
import org.apache.tomcat.util.descriptor.web.LoginConfig;

/** A Tomcat with JNDI and any number of deployments of Postern, made like those of the WAR, from this class path. */
final class TomcatServer implements AutoCloseable {

    /** The password of the console's users. */
    static final String PASSWORD = "a-password";

    private static final String FACTORY = "java.naming.factory.initial";

    private final Tomcat tomcat = new Tomcat();
    private final HttpClient client = HttpClient.newHttpClient();
    private final Path base;

    TomcatServer(Path base) {
        this.base = base;
        tomcat.setBaseDir(base.toString());
        tomcat.setPort(0);
        tomcat.getConnector().setProperty("address", "127.0.0.1");
        tomcat.enableNaming();
        tomcat.setSilent(true);
    }

    /**
     * A started server with one Postern and users of its console: {@code nora} without a role, {@code vera} the viewer and
     * {@code otto} the operator.
     *
     * @param directory gets the home, {@code home}
     * @param configuration the text of {@code postern.yaml}
     */
    static TomcatServer withConsole(Path directory, String configuration) throws IOException, LifecycleException {
        Path home = Files.createDirectories(directory.resolve("home"));
        Files.writeString(home.resolve("postern.yaml"), configuration);
        TomcatServer server = new TomcatServer(directory.resolve("tomcat"));
        server.deploy("/postern", home);
        server.user("nora", PASSWORD, "manager-gui");
        server.user("vera", PASSWORD, "postern-viewer");
        server.user("otto", PASSWORD, "postern-operator");
        return server.start();
    }

    /** One deployment of Postern, not started yet. */
    Context deploy(String contextPath, Path home) {
        StandardContext context = (StandardContext) tomcat.addContext(
                contextPath, directory("docs" + contextPath.replace('/', '-')).toString());
        context.setClearReferencesThreadLocals(false); // it would look into closed packages of the JDK
        context.setClearReferencesRmiTargets(false);
        context.addApplicationListener(PosternListener.class.getName());
        context.setLoginConfig(new LoginConfig("BASIC", "Postern", null, null));
        context.getPipeline().addValve(new BasicAuthenticator());
        bind(context, "POSTERN_HOME", home.toString());
        return context;
    }

    /** Binds a text, as an {@code <Environment>} of the deployment's context.xml does. */
    static void bind(Context context, String name, String value) {
        ContextEnvironment entry = new ContextEnvironment();
        entry.setName(name);
        entry.setType(String.class.getName());
        entry.setValue(value);
        context.getNamingResources().addEnvironment(entry);
    }

    /** Binds an object, as a {@code <Resource>} of the deployment's context.xml does. */
    static void bind(Context context, String name, Object object) {
        ContextResource resource = new ContextResource();
        resource.setName(name);
        resource.setType(object.getClass().getName());
        resource.setProperty("factory", BoundObjectFactory.class.getName());
        resource.setProperty("key", BoundObjectFactory.keyOf(object));
        context.getNamingResources().addResource(resource);
    }

    /** Adds a {@code <Resource>} of server.xml that {@code factory} makes, and a {@code <ResourceLink>} to it. */
    void link(Context context, String name, String type, Class<?> factory, Map<String, String> attributes) {
        tomcat.getEngine().setParentClassLoader(factory.getClassLoader());
        ContextResource resource = new ContextResource();
        resource.setName(name);
        resource.setType(type);
        resource.setProperty("factory", factory.getName());
        attributes.forEach(resource::setProperty);
        tomcat.getServer().getGlobalNamingResources().addResource(resource);
        ContextResourceLink link = new ContextResourceLink();
        link.setName(name);
        link.setGlobal(name);
        link.setType(type);
        context.getNamingResources().addResourceLink(link);
    }

    /** Adds a user of the server with {@code roles}. */
    void user(String name, String password, String... roles) {
        tomcat.addUser(name, password);
        List.of(roles).forEach(role -> tomcat.addRole(name, role));
    }

    TomcatServer start() throws LifecycleException {
        tomcat.start();
        return this;
    }

    HttpResponse<String> get(String path) throws IOException, InterruptedException {
        return client.send(request(path).build(), BodyHandlers.ofString());
    }

    HttpResponse<String> get(String path, String name, String password) throws IOException, InterruptedException {
        return client.send(as(name, password, path).build(), BodyHandlers.ofString());
    }

    /** A client with the cookies of a login by the console's form. */
    HttpClient loggedIn(String name, String password) throws IOException, InterruptedException {
        HttpClient browser =
                HttpClient.newBuilder().cookieHandler(new CookieManager()).build();
        HttpRequest login = request("/postern/console/login")
                .header("Content-Type", "application/x-www-form-urlencoded")
                .POST(BodyPublishers.ofString("name=" + name + "&password=" + password))
                .build();
        assertThat(browser.send(login, BodyHandlers.discarding()).statusCode()).isEqualTo(303);
        return browser;
    }

    /** The console's page {@code place}, as {@code browser} gets it. */
    String page(HttpClient browser, String place) throws IOException, InterruptedException {
        return browser.send(request("/postern/console/" + place).build(), BodyHandlers.ofString())
                .body();
    }

    /** Posts JSON as a program that logs in with each request. */
    HttpResponse<String> post(String path, String name, String password, String json)
            throws IOException, InterruptedException {
        return client.send(
                as(name, password, path)
                        .header("Content-Type", "application/json")
                        .POST(BodyPublishers.ofString(json))
                        .build(),
                BodyHandlers.ofString());
    }

    private HttpRequest.Builder as(String name, String password, String path) {
        String credentials =
                Base64.getEncoder().encodeToString((name + ":" + password).getBytes(StandardCharsets.UTF_8));
        return request(path).header("Authorization", "Basic " + credentials);
    }

    HttpResponse<String> post(String path, String token, String body) throws IOException, InterruptedException {
        return client.send(
                request(path)
                        .header("Authorization", "Bearer " + token)
                        .POST(BodyPublishers.ofString(body))
                        .build(),
                BodyHandlers.ofString());
    }

    /** The address of {@code path} after the server's start. */
    URI at(String path) {
        return URI.create("http://127.0.0.1:" + tomcat.getConnector().getLocalPort() + path);
    }

    private HttpRequest.Builder request(String path) {
        return HttpRequest.newBuilder(at(path));
    }

    private Path directory(String name) {
        try {
            return Files.createDirectories(base.resolve(name));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** Closes the server and its JNDI names, which every other test of this JVM would see. */
    @Override
    public void close() throws LifecycleException {
        try {
            tomcat.stop();
            tomcat.destroy();
        } finally {
            System.clearProperty(FACTORY);
            System.clearProperty("java.naming.factory.url.pkgs");
        }
    }

    /** An object factory that returns objects of this JVM, as pools have their own factories. */
    public static final class BoundObjectFactory implements ObjectFactory {

        private static final Map<String, Object> OBJECTS = new ConcurrentHashMap<>();

        static String keyOf(Object object) {
            String key = String.valueOf(System.identityHashCode(object));
            OBJECTS.put(key, object);
            return key;
        }

        @Override
        public Object getObjectInstance(
                Object reference, Name name, javax.naming.Context context, Hashtable<?, ?> environment) {
            return OBJECTS.get(((Reference) reference).get("key").getContent());
        }
    }
}
