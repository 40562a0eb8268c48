package dev.postern.channel.text;

import java.util.Locale;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * A part of a reply, which is sent as one message.
 *
 * @param text the message's text in the channel's markup; for a file its code, as a fenced block of Markdown
 * @param fileName the file's name, such as {@code code-1.py}; null if the part is a text
 */
public record MessagePart(String text, @Nullable String fileName) {

    private static final int SHORTEST_FENCE = 3;
    private static final String OTHER = "txt";

    /** The most characters in the name of a language that has an ending of its own. */
    private static final int LONGEST_LANGUAGE = 20;

    /**
     * The endings of file names by the language of the code. A language is left out if a double click runs its files on
     * some system without further programs, or shows them as a page.
     */
    private static final Map<String, String> ENDINGS = Map.ofEntries(
            Map.entry("bash", "sh"),
            Map.entry("c", "c"),
            Map.entry("c++", "cpp"),
            Map.entry("c#", "cs"),
            Map.entry("clojure", "clj"),
            Map.entry("cpp", "cpp"),
            Map.entry("cs", "cs"),
            Map.entry("csharp", "cs"),
            Map.entry("css", "css"),
            Map.entry("csv", "csv"),
            Map.entry("dart", "dart"),
            Map.entry("diff", "diff"),
            Map.entry("elixir", "ex"),
            Map.entry("erlang", "erl"),
            Map.entry("go", "go"),
            Map.entry("golang", "go"),
            Map.entry("graphql", "graphql"),
            Map.entry("groovy", "groovy"),
            Map.entry("haskell", "hs"),
            Map.entry("hcl", "tf"),
            Map.entry("ini", "ini"),
            Map.entry("java", "java"),
            Map.entry("javascript", "mjs"),
            Map.entry("js", "mjs"),
            Map.entry("json", "json"),
            Map.entry("jsonl", "jsonl"),
            Map.entry("jsx", "jsx"),
            Map.entry("kotlin", "kt"),
            Map.entry("kt", "kt"),
            Map.entry("log", "log"),
            Map.entry("lua", "lua"),
            Map.entry("markdown", "md"),
            Map.entry("md", "md"),
            Map.entry("patch", "patch"),
            Map.entry("perl", "pl"),
            Map.entry("php", "php"),
            Map.entry("properties", "properties"),
            Map.entry("proto", "proto"),
            Map.entry("py", "py"),
            Map.entry("python", "py"),
            Map.entry("r", "r"),
            Map.entry("rb", "rb"),
            Map.entry("rs", "rs"),
            Map.entry("ruby", "rb"),
            Map.entry("rust", "rs"),
            Map.entry("scala", "scala"),
            Map.entry("sh", "sh"),
            Map.entry("shell", "sh"),
            Map.entry("sql", "sql"),
            Map.entry("swift", "swift"),
            Map.entry("terraform", "tf"),
            Map.entry("tf", "tf"),
            Map.entry("toml", "toml"),
            Map.entry("ts", "ts"),
            Map.entry("tsx", "tsx"),
            Map.entry("typescript", "ts"),
            Map.entry("yaml", "yaml"),
            Map.entry("yml", "yaml"),
            Map.entry("zig", "zig"),
            Map.entry("zsh", "sh"));

    /** A part that is a text. */
    public static MessagePart text(String text) {
        return new MessagePart(text, null);
    }

    /** The part for the reply's file {@code number}, with the code of {@code block}. */
    static MessagePart file(int number, TextBlock block) {
        String code = block.text();
        String fence = "`".repeat(Math.max(SHORTEST_FENCE, StyledSpan.longest(code, 0, code.length(), '`') + 1));
        String language = block.language().length() > LONGEST_LANGUAGE ? "" : block.language();
        String ending = ENDINGS.getOrDefault(language.toLowerCase(Locale.ROOT), OTHER);
        return new MessagePart(fence + block.language() + "\n" + code + "\n" + fence, "code-" + number + "." + ending);
    }

    /** The file; null if the part is a text. */
    public @Nullable CodeFile file() {
        return fileName == null
                ? null
                : new CodeFile(fileName, text.substring(text.indexOf('\n') + 1, text.lastIndexOf('\n') + 1));
    }
}
