package dev.postern.http;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import jakarta.servlet.AsyncContext;
import java.lang.reflect.Proxy;
import java.security.AccessControlContext;
import java.security.AccessController;
import java.security.PrivilegedAction;
import java.security.ProtectionDomain;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

@SuppressWarnings("removal") // a thread inherits it until Java 24
class LeakFreeAsyncContextTest {

    private static final Map<String, Consumer<AsyncContext>> CALLS = Map.of(
            "complete", AsyncContext::complete,
            "dispatch", AsyncContext::dispatch,
            "start", exchange -> exchange.start(() -> {}));

    private final List<String> called = new ArrayList<>();

    @Test
    void passesOnWhatTheServerThrows() {
        LeakFreeAsyncContext leakFreeAsyncContext = new LeakFreeAsyncContext(server(() -> {
            throw new IllegalStateException("it is over");
        }));

        assertThatThrownBy(leakFreeAsyncContext::dispatch)
                .isInstanceOf(IllegalStateException.class)
                .hasMessage("it is over");
    }

    @ParameterizedTest
    @ValueSource(strings = {"complete", "start", "dispatch"})
    void hasTheServersThreadsInheritNothingOfOurs(String method) {
        List<ProtectionDomain> inherited = new ArrayList<>();
        LeakFreeAsyncContext leakFreeAsyncContext =
                new LeakFreeAsyncContext(server(() -> inherited.addAll(domains(AccessController.getContext()))));

        CALLS.get(method).accept(leakFreeAsyncContext);

        assertThat(called).containsExactly(method);
        assertThat(inherited)
                .as("the server's own")
                .contains(getClass().getProtectionDomain())
                .doesNotContain(LeakFreeAsyncContext.class.getProtectionDomain());
    }

    private AsyncContext server(Runnable onCall) {
        return (AsyncContext) Proxy.newProxyInstance(
                getClass().getClassLoader(), new Class<?>[] {AsyncContext.class}, (proxy, method, arguments) -> {
                    called.add(method.getName());
                    onCall.run();
                    return null;
                });
    }

    /** The protection domains of {@code context}, which it reveals only to a domain combiner. */
    private static List<ProtectionDomain> domains(AccessControlContext context) {
        List<ProtectionDomain> found = new ArrayList<>();
        AccessControlContext spied = new AccessControlContext(context, (current, assigned) -> {
            if (assigned != null) {
                found.addAll(List.of(assigned));
            }
            return assigned;
        });
        AccessController.doPrivileged((PrivilegedAction<AccessControlContext>) AccessController::getContext, spied);
        return found;
    }
}
