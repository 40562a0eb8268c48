package dev.postern.channel.vendor;

import static org.assertj.core.api.Assertions.assertThat;

import dev.postern.store.Store;
import dev.postern.store.TestDatabases;
import dev.postern.store.TestDatabases.Opener;
import java.nio.file.Path;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

class PostgresSentMailTableTest extends SentMailTableContract {

    @Override
    Opener database(Path directory) {
        return TestDatabases.postgres(directory);
    }

    /** Checks that two nodes that send at the same time take no more than the limit together. */
    @Test
    void countsTheMailsOfAllNodes() throws Exception {
        try (Store other = openStore()) {
            SentMailTable here = limit(10);
            SentMailTable there = new SentMailTable(other, "mail", 10);
            AtomicInteger number = new AtomicInteger();
            ExecutorService threads = Executors.newFixedThreadPool(8);
            try {
                List<Future<Boolean>> taken = threads.invokeAll(Collections.nCopies(40, () -> {
                    int id = number.incrementAndGet();
                    return (id % 2 == 0 ? here : there).take("ann@example.org", "dlv_" + id);
                }));

                int count = 0;
                for (Future<Boolean> each : taken) {
                    count += each.get() ? 1 : 0;
                }
                assertThat(count).isEqualTo(10);
            } finally {
                threads.shutdownNow();
            }
        }
    }
}
