package dev.postern.bench;

import java.io.IOException;
import java.net.CookieManager;
import java.net.URI;
import java.net.URLEncoder;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Arrays;

/** A browser that has logged in to the console and looks at its pages. */
final class ConsoleViewer {

    private final HttpClient browser =
            HttpClient.newBuilder().cookieHandler(new CookieManager()).build();
    private final URI console;

    ConsoleViewer(int port, String password) throws IOException, InterruptedException {
        this.console = URI.create("http://127.0.0.1:" + port + "/console/");
        String form = "name=operator&password=" + URLEncoder.encode(password, StandardCharsets.UTF_8);
        HttpRequest login = HttpRequest.newBuilder(console.resolve("login"))
                .header("Content-Type", "application/x-www-form-urlencoded")
                .POST(BodyPublishers.ofString(form))
                .build();
        int status = browser.send(login, BodyHandlers.discarding()).statusCode();
        if (status != 303) {
            throw new IOException("the login was answered " + status);
        }
    }

    /** The result of a look at a page. */
    record PageView(double millis, String page) {}

    /** Asks for the page at {@code place}. */
    PageView look(String place) throws IOException, InterruptedException {
        long start = System.nanoTime();
        HttpResponse<String> answer =
                browser.send(HttpRequest.newBuilder(console.resolve(place)).build(), BodyHandlers.ofString());
        double millis = (System.nanoTime() - start) / 1e6;
        if (answer.statusCode() != 200) {
            throw new IOException(place + " was answered " + answer.statusCode());
        }
        return new PageView(millis, answer.body());
    }

    /** How long each of {@code times} looks took, in milliseconds, the quickest first. */
    double[] looks(String place, int times) throws IOException, InterruptedException {
        double[] millis = new double[times];
        for (int i = 0; i < times; i++) {
            millis[i] = look(place).millis();
        }
        Arrays.sort(millis);
        return millis;
    }

    /** Looks again and again for as long as {@code stretch}, and returns how often. */
    int looksWithin(String place, Duration stretch) throws IOException, InterruptedException {
        long end = System.nanoTime() + stretch.toNanos();
        int looks = 0;
        for (; System.nanoTime() < end; looks++) {
            look(place);
        }
        return looks;
    }
}
