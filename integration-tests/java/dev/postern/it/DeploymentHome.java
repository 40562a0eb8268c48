package dev.postern.it;

import java.io.File;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileAttribute;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.Comparator;
import java.util.List;
import java.util.stream.Stream;
import org.jboss.shrinkwrap.api.ShrinkWrap;
import org.jboss.shrinkwrap.api.importer.ZipImporter;
import org.jboss.shrinkwrap.api.spec.WebArchive;

/** The home directory of the next deployment, with the packaged WAR that starts in it. One is in use at a time. */
final class DeploymentHome {

    private static final String PROPERTY = "postern.home";
    private static final FileAttribute<?> OWNER_ONLY =
            PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rwx------"));

    private final Path directory;

    private DeploymentHome(Path directory) {
        this.directory = directory;
    }

    /** A home that holds nothing, for Postern to set up by itself. */
    static DeploymentHome empty(String name) {
        Path directory = Path.of(System.getProperty("it.directory"), name);
        try {
            deleteAll(directory);
            Files.createDirectories(directory, OWNER_ONLY);
        } catch (IOException e) {
            throw new UncheckedIOException("the home [" + directory + "] can't be prepared", e);
        }
        DeploymentHome home = new DeploymentHome(directory);
        home.use();
        return home;
    }

    /** A home with a hook token and these settings, in YAML; {@code hooks} holds what belongs below {@code hooks:}. */
    static DeploymentHome with(String name, List<String> hooks, String... more) {
        DeploymentHome home = empty(name);
        home.write("secrets/hook-token", "it-0123456789abcdefghijklmnopqrstuvwxyz");
        StringBuilder yaml = new StringBuilder("hooks:\n  enabled: true\n  token: ${file:secrets/hook-token}\n");
        hooks.forEach(line -> yaml.append("  ").append(line).append('\n'));
        for (String line : more) {
            yaml.append(line).append('\n');
        }
        home.write("postern.yaml", yaml.toString());
        return home;
    }

    /** The home of the deployment that is running. */
    static DeploymentHome current() {
        return new DeploymentHome(Path.of(System.getProperty(PROPERTY)));
    }

    /** The packaged WAR, at the context that is called as this home is: one server may not take two apps of one name. */
    WebArchive war() {
        return archive(name());
    }

    /** One of several deployments that start in this home; its name is the home's, a hyphen and {@code suffix}. */
    WebArchive war(String suffix) {
        return archive(name() + "-" + suffix);
    }

    private static WebArchive archive(String name) {
        return ShrinkWrap.create(ZipImporter.class, name + ".war")
                .importFrom(new File(System.getProperty("it.war")))
                .as(WebArchive.class);
    }

    /** What {@link #empty} or {@link #with} called it. */
    String name() {
        return directory.getFileName().toString();
    }

    /** Makes this the home of what is deployed next. */
    void use() {
        System.setProperty(PROPERTY, directory.toString());
    }

    String token() {
        return read("secrets/hook-token").strip();
    }

    Path path(String name) {
        return directory.resolve(name);
    }

    void write(String name, String content) {
        try {
            Files.createDirectories(path(name).getParent(), OWNER_ONLY);
            Files.writeString(path(name), content);
            Files.setPosixFilePermissions(path(name), PosixFilePermissions.fromString("rw-------"));
        } catch (IOException e) {
            throw new UncheckedIOException("[" + path(name) + "] can't be written", e);
        }
    }

    private String read(String name) {
        try {
            return Files.readString(path(name));
        } catch (IOException e) {
            throw new UncheckedIOException("[" + path(name) + "] can't be read", e);
        }
    }

    private static void deleteAll(Path directory) throws IOException {
        if (!Files.exists(directory)) {
            return;
        }
        try (Stream<Path> files = Files.walk(directory)) {
            for (Path file : files.sorted(Comparator.reverseOrder()).toList()) {
                Files.delete(file);
            }
        }
    }
}
