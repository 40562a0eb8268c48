package dev.postern.http;

import static org.assertj.core.api.Assertions.assertThat;

import jakarta.servlet.ReadListener;
import jakarta.servlet.ServletContext;
import jakarta.servlet.http.HttpServletRequest;
import java.io.IOException;
import java.lang.reflect.Proxy;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

class ReadListenerRegistrationTest {

    private final ControlledInputStream in = new ControlledInputStream();
    private final List<Runnable> clock = new ArrayList<>();
    private final ReadListener listener = fake(ReadListener.class, Map.of());

    @Test
    void registersOnClockThreadOnOpenLiberty() throws IOException {
        ReadListenerRegistration.begin(on("IBM WebSphere Liberty/26.0.0.5"), listener, clock::add);
        assertThat(in.listener()).isNull();

        clock.get(0).run();

        assertThat(in.listener()).isSameAs(listener);
    }

    @Test
    void registersAtOnceOnOtherServers() throws IOException {
        ReadListenerRegistration.begin(on("Apache Tomcat/11.0.27"), listener, clock::add);

        assertThat(in.listener()).isSameAs(listener);
        assertThat(clock).isEmpty();
    }

    private HttpServletRequest on(String server) {
        ServletContext context = fake(ServletContext.class, Map.of("getServerInfo", server));
        return fake(HttpServletRequest.class, Map.of("getServletContext", context, "getInputStream", in));
    }

    private <T> T fake(Class<T> type, Map<String, Object> answers) {
        return type.cast(Proxy.newProxyInstance(
                getClass().getClassLoader(),
                new Class<?>[] {type},
                (self, method, arguments) -> answers.get(method.getName())));
    }
}
