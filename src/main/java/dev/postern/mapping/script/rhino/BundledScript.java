package dev.postern.mapping.script.rhino;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;

/** A script that is part of the program: one of our own, or the TypeScript compiler. */
final class BundledScript {

    private static final String FOLDER = "/dev/postern/mapping/script/";

    private BundledScript() {}

    static String read(String name) {
        try (InputStream in = BundledScript.class.getResourceAsStream(FOLDER + name)) {
            if (in == null) {
                throw new IllegalStateException("the resource [" + FOLDER + name + "] is not there");
            }
            return new String(in.readAllBytes(), StandardCharsets.UTF_8);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
