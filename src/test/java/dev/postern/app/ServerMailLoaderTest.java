package dev.postern.app;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Collections;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Tests of the classes and resources that a server finds while it makes a mail session. */
class ServerMailLoaderTest {

    private static final String PROVIDER = "META-INF/services/jakarta.mail.util.StreamProvider";
    private static final String OTHER = "META-INF/services/a.service.of.the.Application";

    @TempDir
    Path application;

    @Test
    void findsNoneOfTheApplicationsMailPartsAndAllElse() throws Exception {
        write(PROVIDER);
        write(OTHER);
        ClassLoader server = getClass().getClassLoader();
        try (URLClassLoader own =
                new URLClassLoader(new URL[] {application.toUri().toURL()}, server)) {
            ClassLoader shown = ContainerResources.ServerMailLoader.over(own);

            assertThat(Collections.list(own.getResources(PROVIDER))).hasSize(2);
            assertThat(Collections.list(shown.getResources(PROVIDER)))
                    .isEqualTo(Collections.list(server.getResources(PROVIDER)));
            assertThat(Collections.list(shown.getResources(OTHER))).hasSize(1);
            assertThat(shown.loadClass("jakarta.mail.Session").getClassLoader()).isEqualTo(server);
            assertThat(shown.getParent()).isEqualTo(own);
        }
    }

    private void write(String name) throws IOException {
        Path file = application.resolve(name);
        Files.createDirectories(file.getParent());
        Files.writeString(file, "any.Name");
    }
}
