package dev.postern.channel.vendor;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;

/** An SMTP server whose replies a test chooses, for those that no well-behaved server gives. */
public final class ScriptedSmtpServer implements AutoCloseable {

    /** The reply of a server that says nothing more and keeps the connection. */
    public static final String SILENCE = "silence";

    /** The reply of a server that hangs up. */
    public static final String HANG_UP = "hang up";

    /** Google's reply to an access token that it refuses; the code follows upon an empty line. */
    public static final String CHALLENGE =
            "334 eyJzdGF0dXMiOiI0MDEiLCJzY2hlbWVzIjoiYmVhcmVyIG1hYyIsInNjb3BlIjoiaHR0cHM6Ly9tYWlsLmdvb2dsZS5jb20vIn0K";

    private static final Map<String, String> USUAL = Map.of(
            "GREETING", "220 ready",
            "EHLO", "250-hello\r\n250 AUTH PLAIN LOGIN XOAUTH2",
            "AUTH", "235 2.7.0 welcome",
            "", "535-5.7.1 Username and Password not accepted. Learn more at\r\n535 5.7.1 https://it.example x - gsmtp",
            "MAIL", "250 2.1.0 ok",
            "RCPT", "250 2.1.5 ok",
            "DATA", "354 go on",
            "END", "250 2.0.0 taken",
            "RSET", "250 ok",
            "QUIT", "221 bye");

    private final ServerSocket socket = new ServerSocket(0, 50, InetAddress.getLoopbackAddress());
    private final Map<String, String> replies = new ConcurrentHashMap<>(USUAL);
    private final List<String> lines = new CopyOnWriteArrayList<>();
    private final List<Socket> open = new CopyOnWriteArrayList<>();

    /** Starts a server that takes every login and every mail. */
    public ScriptedSmtpServer() throws IOException {
        Thread thread = new Thread(this::accept, "scripted-smtp");
        thread.setDaemon(true);
        thread.start();
    }

    /** The port, on this machine. */
    public int port() {
        return socket.getLocalPort();
    }

    /** Replies to {@code command} with {@code reply}; {@code GREETING}, {@code END} and "" are commands too. */
    public void reply(String command, String reply) {
        replies.put(command, reply);
    }

    /** Sends {@code reply} to all clients, which waited for it. */
    public void say(String reply) throws IOException {
        for (Socket each : open) {
            each.getOutputStream().write((reply + "\r\n").getBytes(StandardCharsets.US_ASCII));
        }
    }

    /** The lines of all clients, those of mails too. */
    public List<String> lines() {
        return lines;
    }

    private void accept() {
        while (!socket.isClosed()) {
            try {
                Socket client = socket.accept();
                open.add(client);
                Thread thread = new Thread(() -> talk(client), "scripted-smtp-client");
                thread.setDaemon(true);
                thread.start();
            } catch (IOException closed) {
                return;
            }
        }
    }

    private void talk(Socket client) {
        try (client) {
            BufferedReader in =
                    new BufferedReader(new InputStreamReader(client.getInputStream(), StandardCharsets.US_ASCII));
            OutputStream out = client.getOutputStream();
            boolean data = false;
            String command = "GREETING";
            while (true) {
                String reply = replies.getOrDefault(command, "502 what");
                if (reply.equals(HANG_UP)) {
                    return;
                }
                if (!reply.equals(SILENCE)) {
                    out.write((reply + "\r\n").getBytes(StandardCharsets.US_ASCII));
                    out.flush();
                }
                data = command.equals("DATA") && reply.startsWith("354");
                String line = in.readLine();
                while (data && line != null && !line.equals(".")) {
                    lines.add(line);
                    line = in.readLine();
                }
                if (line == null) {
                    return;
                }
                lines.add(line);
                command = data ? "END" : line.split(" ", 2)[0].toUpperCase(Locale.ROOT);
            }
        } catch (IOException gone) {
            lines.add("(the client hung up)");
        }
    }

    @Override
    public void close() {
        try {
            socket.close();
            for (Socket each : open) {
                each.close();
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
