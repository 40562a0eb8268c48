package dev.postern.agent.chat;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.postern.agent.ProviderBreakerRegistry;
import dev.postern.agent.tool.ToolServerRegistry;
import dev.postern.agent.tool.ToolboxFactory;
import dev.postern.model.Secret;
import dev.postern.net.HttpConnections;
import java.io.IOException;
import java.io.InputStream;
import java.net.URI;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.file.Path;
import java.time.Duration;
import java.time.InstantSource;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Executor;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.function.BiConsumer;
import java.util.function.LongSupplier;
import org.junit.jupiter.api.Test;

class ChatBackendFactoryTest {

    @Test
    void areMadeWithoutLoadingLangChain4j() throws Exception {
        ClassLoader loader = new WithoutLangChain4j();
        Class<?> providers = loader.loadClass("dev.postern.config.Settings$Provider");
        Object provider = providers
                .getConstructor(
                        String.class,
                        String.class,
                        URI.class,
                        loader.loadClass(Secret.class.getName()),
                        List.class,
                        List.class)
                .newInstance("mine", "openai", URI.create("http://127.0.0.1:9"), null, List.of(), List.of());
        Class<?> toolboxes = loader.loadClass(ToolboxFactory.class.getName());
        Object tools = loader.loadClass(ToolServerRegistry.class.getName())
                .getConstructor(Map.class, Path.class, String.class)
                .newInstance(Map.of(), Path.of("nowhere"), "test");
        Class<?> pool = loader.loadClass(HttpConnections.class.getName());
        Object connections = pool.getConstructor(Executor.class).newInstance((Executor) Runnable::run);
        Class<?> registries = loader.loadClass(ProviderBreakerRegistry.class.getName());
        Object breakers = registries
                .getConstructor(Map.class, Duration.class, BiConsumer.class, InstantSource.class, LongSupplier.class)
                .newInstance(
                        Map.of("mine", provider),
                        Duration.ZERO,
                        (BiConsumer<Object, Object>) (id, outage) -> {},
                        InstantSource.system(),
                        (LongSupplier) System::nanoTime);
        Object backends = loader.loadClass(ChatBackendFactory.class.getName())
                .getConstructor(pool, toolboxes, registries, InstantSource.class)
                .newInstance(connections, tools, breakers, InstantSource.system());

        Object backend = backends.getClass().getMethod("of", providers).invoke(backends, provider);

        assertThat(backend.getClass().getName()).isEqualTo(ChatBackend.class.getName());
    }

    @Test
    void leaveNoThreadBehindThatHoldsTheApplication() {
        List<Thread> before = selectors();
        ExecutorService executor = Executors.newSingleThreadExecutor();
        ask(executor);
        executor.shutdown();

        await().untilAsserted(() -> {
            System.gc();
            assertThat(selectors()).isSubsetOf(before);
        });
    }

    private static void ask(Executor executor) {
        List<Thread> before = selectors();
        try (HttpConnections connections = new HttpConnections(executor)) {
            HttpRequest request =
                    HttpRequest.newBuilder(URI.create("http://127.0.0.1:9/")).build();
            for (int i = 0; i < 2; i++) {
                assertThat(connections.send(request, BodyHandlers.discarding()).response())
                        .failsWithin(Duration.ofSeconds(10));
            }
            assertThat(selectors())
                    .filteredOn(thread -> !before.contains(thread))
                    .extracting(Thread::getContextClassLoader)
                    .containsExactly(ClassLoader.getPlatformClassLoader());
        }
    }

    private static List<Thread> selectors() {
        return Thread.getAllStackTraces().keySet().stream()
                .filter(thread -> thread.getName().endsWith("-SelectorManager"))
                .toList();
    }

    /** A class loader that loads Postern's classes again, and none of LangChain4j's. */
    private static final class WithoutLangChain4j extends ClassLoader {

        @Override
        protected Class<?> loadClass(String name, boolean resolve) throws ClassNotFoundException {
            if (name.startsWith("dev.langchain4j.")) {
                throw new ClassNotFoundException(name);
            }
            if (!name.startsWith("dev.postern.")) {
                return super.loadClass(name, resolve);
            }
            synchronized (getClassLoadingLock(name)) {
                Class<?> loaded = findLoadedClass(name);
                return loaded == null ? define(name) : loaded;
            }
        }

        private Class<?> define(String name) throws ClassNotFoundException {
            try (InputStream in = getResourceAsStream(name.replace('.', '/') + ".class")) {
                if (in == null) {
                    throw new ClassNotFoundException(name);
                }
                byte[] bytes = in.readAllBytes();
                return defineClass(name, bytes, 0, bytes.length);
            } catch (IOException e) {
                throw new ClassNotFoundException(name, e);
            }
        }
    }
}
