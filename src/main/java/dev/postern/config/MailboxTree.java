package dev.postern.config;

import dev.postern.config.MapText.NoPlaceException;
import dev.postern.config.Node.Field;
import dev.postern.config.Node.Fields;
import dev.postern.config.Node.Form;
import dev.postern.config.Node.Items;
import dev.postern.config.Node.Nothing;
import dev.postern.config.Node.Scalar;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** A mailbox in the tree of a configuration: what {@code hooks.gmail} and {@code hooks.presets} are to say. */
final class MailboxTree {

    private static final String HOOKS = "hooks";
    private static final String PRESETS = "presets";
    private static final String GMAIL = "gmail";

    /** What {@code mail setup} asks for or has options for, in the order in which it is written. The rest is the operator's, and stays. */
    private static final List<String> OPTIONS = List.of(
            "account",
            "host",
            "port",
            "security",
            "caFile",
            "username",
            "password",
            "oauth",
            "label",
            "includeBody",
            "maxBytes",
            "since",
            "afterwards",
            "model",
            "thinking");

    private static final List<String> LOGINS = List.of("password", "oauth");

    private final Map<String, String> wanted;
    private final List<String> gone = new ArrayList<>();

    /** @param wanted texts by the names of settings below {@code hooks.gmail}, such as {@code oauth.clientId} */
    MailboxTree(Map<String, String> wanted) {
        this.wanted = new LinkedHashMap<>();
        for (String option : OPTIONS) {
            wanted.forEach((name, text) -> {
                if (isAt(name, option)) {
                    this.wanted.put(name, text);
                }
            });
        }
    }

    /** {@code root} with the mailbox in it. */
    Fields over(Fields root) {
        Fields hooks = below(root, HOOKS);
        Fields gmail = below(hooks, GMAIL);
        Fields changed = gmail;
        for (String option : OPTIONS) {
            if (gmail.value(option) != null && wanted.keySet().stream().noneMatch(name -> isAt(name, option))) {
                gone.add(option);
            }
            changed = changed.without(option);
        }
        for (Map.Entry<String, String> setting : wanted.entrySet()) {
            changed = with(changed, List.of(setting.getKey().split("\\.")), setting.getValue());
        }
        return root.with(HOOKS, hooks.with(PRESETS, presets(hooks)).with(GMAIL, changed));
    }

    /** What was there and is not to be any more, but for the login. */
    List<String> dropped() {
        return gone.stream().filter(name -> !LOGINS.contains(name)).toList();
    }

    /** Makes {@code text} say the same. */
    void writeInto(MapText text) throws NoPlaceException {
        text.add(List.of(HOOKS, PRESETS), GMAIL);
        for (Map.Entry<String, String> setting : wanted.entrySet()) {
            List<String> path = new ArrayList<>(List.of(HOOKS, GMAIL));
            path.addAll(Arrays.asList(setting.getKey().split("\\.")));
            text.put(path, setting.getValue());
        }
        for (String option : gone) {
            text.remove(List.of(HOOKS, GMAIL, option));
        }
    }

    private static boolean isAt(String setting, String option) {
        return setting.equals(option) || setting.startsWith(option + ".");
    }

    private static Fields below(Fields fields, String name) {
        return fields.value(name) instanceof Fields found ? found : Fields.empty(Origin.DEFAULT);
    }

    private static Fields with(Fields fields, List<String> path, String text) {
        String name = path.get(0);
        if (path.size() > 1) {
            return fields.with(name, with(below(fields, name), path.subList(1, path.size()), text));
        }
        String option = "--" + name.replaceAll("(?=[A-Z])", "-").toLowerCase(Locale.ROOT);
        return fields.with(name, new Scalar(text, Words.form(text), new Origin(option)));
    }

    private static Node presets(Fields hooks) {
        @Nullable Node given = hooks.value(PRESETS);
        Scalar own = new Scalar(GMAIL, Form.TEXT, Origin.DEFAULT);
        if (given == null) {
            return new Items(List.of(own), Origin.DEFAULT);
        }
        if (!(given instanceof Items items) || items.nodes().stream().anyMatch(node -> same(node, own))) {
            return given;
        }
        List<Node> more = new ArrayList<>(items.nodes());
        more.add(own);
        return new Items(more, items.origin());
    }

    /** Whether two trees say the same, wherever it stands. A name with nothing is as good as none. */
    static boolean same(Node one, Node other) {
        if (one instanceof Scalar a && other instanceof Scalar b) {
            return a.text().equals(b.text()) && a.form() == b.form();
        }
        if (one instanceof Items a && other instanceof Items b) {
            return a.nodes().size() == b.nodes().size() && allSame(a.nodes(), b.nodes());
        }
        if (one instanceof Fields a && other instanceof Fields b) {
            Map<String, Node> left = given(a);
            Map<String, Node> right = given(b);
            return left.keySet().equals(right.keySet())
                    && left.keySet().stream()
                            .allMatch(name -> same(left.getOrDefault(name, one), right.getOrDefault(name, other)));
        }
        return one instanceof Nothing && other instanceof Nothing;
    }

    private static boolean allSame(List<Node> some, List<Node> others) {
        for (int i = 0; i < some.size(); i++) {
            if (!same(some.get(i), others.get(i))) {
                return false;
            }
        }
        return true;
    }

    private static Map<String, Node> given(Fields fields) {
        Map<String, Node> given = new LinkedHashMap<>();
        for (Map.Entry<String, Field> entry : fields.byName().entrySet()) {
            if (!(entry.getValue().value() instanceof Nothing)) {
                given.put(entry.getKey(), entry.getValue().value());
            }
        }
        return given;
    }
}
