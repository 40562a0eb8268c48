package dev.postern.console;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import dev.postern.NpmPackage;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** The OpenAPI document in the hands of the tools that people feed it to, each with its defaults. */
@Tag("long")
class OpenApiToolsTest {

    private static final String GROUP = "openapi";
    private static final NpmPackage REDOCLY = new NpmPackage(GROUP, "@redocly/cli", "2.77.0");
    private static final NpmPackage SWAGGER_PARSER = new NpmPackage(GROUP, "@apidevtools/swagger-parser", "13.0.0");
    private static final NpmPackage OPENAPI_TYPESCRIPT = new NpmPackage(GROUP, "openapi-typescript", "7.13.0");
    private static final NpmPackage OPENAPI_FETCH = new NpmPackage(GROUP, "openapi-fetch", "0.17.0");
    private static final NpmPackage TYPESCRIPT = new NpmPackage(GROUP, "typescript", "5.9.3");

    /** Below the packages, so that a script in it can import them. */
    private final Path directory = NpmPackage.directory(GROUP).resolve("document");

    @BeforeEach
    void writeDocument() throws IOException {
        Files.createDirectories(directory);
        Files.write(directory.resolve("openapi.json"), new ConsoleRootResource.OpenApiDocument("/hooks").json());
    }

    @Test
    void passesRedoclyLint() throws IOException, InterruptedException {
        run(REDOCLY, "bin/cli.js", "lint", "openapi.json");
    }

    @Test
    void passesSwaggerParser() throws IOException, InterruptedException {
        SWAGGER_PARSER.install();
        write(
                "validate.mjs",
                """
                import SwaggerParser from '@apidevtools/swagger-parser';
                await SwaggerParser.validate('openapi.json');
                """);
        node("validate.mjs");
    }

    @Test
    void givesTypescriptClientThatNeedsOnlyRequiredFields() throws IOException, InterruptedException {
        OPENAPI_FETCH.install();
        run(OPENAPI_TYPESCRIPT, "bin/cli.js", "openapi.json", "-o", "api.d.ts");
        write(
                "client.mts",
                """
                import createClient from 'openapi-fetch';
                import type { paths } from './api.d.ts';
                const client = createClient<paths>({ baseUrl: 'http://127.0.0.1:8080' });
                const run = await client.POST('/hooks/agent', { body: { message: 'hi' } });
                const id: string | undefined = run.data?.runId;
                const wake = await client.POST('/hooks/wake', { body: { text: 'hi' } });
                const event: string | undefined = wake.data?.eventId;
                const mapped = await client.POST('/hooks/{hook}', { params: { path: { hook: 'github' } }, body: { a: 1 } });
                const why: string | undefined = mapped.error?.code;
                console.log(id, event, why);
                """);
        run(TYPESCRIPT, "bin/tsc", "--noEmit", "--strict", "--module", "nodenext", "--target", "es2022", "client.mts");
    }

    private void write(String name, String script) throws IOException {
        Files.writeString(directory.resolve(name), script);
    }

    private void run(NpmPackage npm, String program, String... arguments) throws IOException, InterruptedException {
        String[] command = new String[arguments.length + 1];
        command[0] = npm.install().resolve(program).toString();
        System.arraycopy(arguments, 0, command, 1, arguments.length);
        node(command);
    }

    private void node(String... arguments) throws IOException, InterruptedException {
        String[] command = new String[arguments.length + 1];
        command[0] = "node";
        System.arraycopy(arguments, 0, command, 1, arguments.length);
        Path output = directory.resolve("output.log");
        ProcessBuilder program = new ProcessBuilder(command)
                .directory(directory.toFile())
                .redirectErrorStream(true)
                .redirectOutput(output.toFile());
        program.environment().put("REDOCLY_TELEMETRY", "off");
        program.environment().put("REDOCLY_SUPPRESS_UPDATE_NOTICE", "true");
        Process node = program.start();
        boolean ended = node.waitFor(120, TimeUnit.SECONDS);
        node.destroyForcibly();
        assertThat(ended && node.exitValue() == 0)
                .as(Files.readString(output, UTF_8))
                .isTrue();
    }
}
