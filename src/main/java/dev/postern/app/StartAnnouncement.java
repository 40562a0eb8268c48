package dev.postern.app;

import dev.postern.config.ConfigurationResult.Configured;
import dev.postern.config.ConfigurationResult.SetUp;
import dev.postern.config.OperatorPassword;
import dev.postern.config.Settings;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * An announcement of a start that succeeded, for its operator.
 *
 * @param password the operator's; null if the server knows users, or nobody can log in
 */
record StartAnnouncement(Configured configured, @Nullable OperatorPassword password) {

    /** The words by which the launcher is told of the start; see {@link PosternListener#LAUNCHED}. */
    Map<String, String> launcherWords() {
        Settings settings = configured.settings();
        String hooks = settings.hooks().enabled() ? settings.hooks().path() : " without hooks: hooks.enabled is false";
        Map<String, String> words = new HashMap<>();
        words.put("ready", hooks + " (home " + settings.home() + ")");
        String users = "no users";
        if (password != null) {
            words.put("password", password.password().reveal());
            users = "user operator, password in " + password.file();
            boolean hasConsole = settings.console() != Settings.Access.OFF;
            words.put("message", (hasConsole ? "Console: {base}/console/, " : "Metrics: {base}/metrics, ") + users);
        }
        String login = users;
        configured.setUp().ifPresent(setUp -> words.put("message", newHomeText(setUp, settings, login)));
        return words;
    }

    /** The text for the log of a server, which does not tell a web application where it listens; empty for a home in use. */
    Optional<String> serverText(String contextPath) {
        String users = "users of this server with the role postern-viewer or postern-operator";
        return configured
                .setUp()
                .map(setUp -> newHomeText(setUp, configured.settings(), users)
                                .replace("{base}", "http://localhost:8080" + contextPath)
                        + "\n  Replace localhost:8080 by this server's address.");
    }

    /**
     * The text that a first start logs, a line for each thing that an operator looks for next.
     *
     * @param users the users of the console, in words
     */
    private static String newHomeText(SetUp setUp, Settings settings, String users) {
        String console = settings.console() == Settings.Access.OFF ? "" : "\n  Console: {base}/console/, " + users;
        return "A new home was set up:\n  Settings: " + setUp.file() + "\n  Hook token: " + setUp.tokenFile() + console
                + "\n  Try it: curl -H \"Authorization: Bearer $(cat '" + setUp.tokenFile()
                + "')\" -d '{\"text\":\"it works\"}' {base}"
                + settings.hooks().path() + "/wake";
    }
}
