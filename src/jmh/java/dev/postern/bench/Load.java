package dev.postern.bench;

import java.io.BufferedInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentMap;
import java.util.concurrent.atomic.LongAdder;

/** Sends one request again and again over a number of connections that are kept alive. */
final class Load {

    private final byte[] request;
    private final int status;

    /** Expects {@code status} from every answer. */
    Load(byte[] request, int status) {
        this.request = request;
        this.status = status;
    }

    /** What a stretch of load came to. */
    record Result(double perSecond, double cpuMicrosEach) {

        @Override
        public String toString() {
            return String.format(Locale.ROOT, "%8.0f /s  %7.1f us CPU each", perSecond, cpuMicrosEach);
        }
    }

    /** Loads {@code target} for {@code time} over {@code connections}. */
    Result run(Target target, int connections, Duration time) throws InterruptedException {
        LongAdder answers = new LongAdder();
        ConcurrentMap<String, Long> faults = new ConcurrentHashMap<>();
        long end = System.nanoTime() + time.toNanos();
        List<Thread> senders = new ArrayList<>();
        double cpu = target.cpuMicros();
        long start = System.nanoTime();
        for (int i = 0; i < connections; i++) {
            Thread sender = new Thread(() -> send(target.port(), end, answers, faults));
            sender.start();
            senders.add(sender);
        }
        for (Thread sender : senders) {
            sender.join();
        }
        double seconds = (System.nanoTime() - start) / 1e9;
        if (!faults.isEmpty()) {
            System.out.println("answers that were not " + status + ": " + faults);
        }
        return new Result(answers.sum() / seconds, (target.cpuMicros() - cpu) / answers.sum());
    }

    /** Sends the request {@code times} times over one connection, whatever is answered. */
    void send(Target target, int times) throws IOException {
        try (Socket socket = new Socket(InetAddress.getLoopbackAddress(), target.port())) {
            InputStream in = new BufferedInputStream(socket.getInputStream());
            for (int i = 0; i < times; i++) {
                socket.getOutputStream().write(request);
                readAnswer(in);
            }
        }
    }

    /** Connects anew when the server says that it closes, as Tomcat does after a hundred requests. */
    private void send(int port, long end, LongAdder answers, ConcurrentMap<String, Long> faults) {
        while (System.nanoTime() < end) {
            try (Socket socket = new Socket(InetAddress.getLoopbackAddress(), port)) {
                socket.setTcpNoDelay(true);
                OutputStream out = socket.getOutputStream();
                InputStream in = new BufferedInputStream(socket.getInputStream());
                Answer answer = new Answer(status, false);
                while (System.nanoTime() < end && !answer.closes()) {
                    out.write(request);
                    answer = readAnswer(in);
                    if (answer.status() == status) {
                        answers.increment();
                    } else {
                        faults.merge(Integer.toString(answer.status()), 1L, Long::sum);
                    }
                }
            } catch (IOException e) {
                faults.merge(e.getClass().getSimpleName(), 1L, Long::sum);
            }
        }
    }

    private record Answer(int status, boolean closes) {}

    private static Answer readAnswer(InputStream in) throws IOException {
        int status = Integer.parseInt(line(in).substring(9, 12));
        int length = 0;
        boolean closes = false;
        for (String header = line(in); !header.isEmpty(); header = line(in)) {
            String lower = header.toLowerCase(Locale.ROOT);
            if (lower.startsWith("content-length:")) {
                length =
                        Integer.parseInt(lower.substring(lower.indexOf(':') + 1).strip());
            }
            closes |= lower.equals("connection: close");
        }
        in.skipNBytes(length);
        return new Answer(status, closes);
    }

    private static String line(InputStream in) throws IOException {
        StringBuilder line = new StringBuilder();
        for (int b = in.read(); b != '\n'; b = in.read()) {
            if (b < 0) {
                throw new IOException("the connection was closed");
            }
            if (b != '\r') {
                line.append((char) b);
            }
        }
        return line.toString();
    }

    /** A POST to {@code path} with {@code body}, as a sender's HTTP client would write it. */
    static byte[] post(String path, String token, String body) {
        return ("POST " + path + " HTTP/1.1\r\nHost: 127.0.0.1\r\nUser-Agent: bench\r\nAccept: */*\r\n"
                        + "Authorization: Bearer " + token + "\r\nContent-Type: application/json\r\nContent-Length: "
                        + body.length() + "\r\n\r\n" + body)
                .getBytes(StandardCharsets.ISO_8859_1);
    }
}
