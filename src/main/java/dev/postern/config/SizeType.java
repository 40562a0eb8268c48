package dev.postern.config;

import dev.postern.config.ConfigurationNode.Form;
import dev.postern.config.ConfigurationNode.Scalar;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * The type of a size in bytes, such as {@code 1048576}, {@code 512MiB} or {@code 2GiB}.
 *
 * @param min the smallest size allowed, in bytes
 * @param max the largest size allowed, in bytes
 */
record SizeType(long min, long max) implements ValueType<Long> {

    static final long KIB = 1024;
    static final long MIB = 1024 * KIB;
    static final long GIB = 1024 * MIB;

    static final Pattern SPELLING = Pattern.compile("([1-9]\\d{0,17})( ?(KiB|MiB|GiB))?");
    private static final int AMOUNT = 1;
    private static final int UNIT = 3;

    @Override
    public String expected() {
        return "a size from " + spell(min) + " to " + spell(max)
                + ", in bytes or with its unit, such as 512MiB or 2GiB";
    }

    @Override
    public Parsed<Long> parse(ConfigurationNode node, SecretReferences references) {
        Optional<String> text = ValueType.textOf(node);
        if (text.isEmpty()) {
            return mismatch(node);
        }
        boolean yaml = node instanceof Scalar scalar && scalar.form() == Form.NUMBER;
        Matcher size = SPELLING.matcher(yaml ? text.get().replace("_", "") : text.get());
        if (!size.matches()) {
            return reject(text.get());
        }
        long amount = Long.parseLong(size.group(AMOUNT));
        String name = size.group(UNIT);
        long unit = name == null ? 1 : bytes(name);
        // Divides rather than multiplies, because a product may pass the range of long.
        return amount > max / unit || amount * unit < min ? reject(text.get()) : new Valid<>(amount * unit);
    }

    private static long bytes(String unit) {
        return switch (unit) {
            case "KiB" -> KIB;
            case "MiB" -> MIB;
            case "GiB" -> GIB;
            default -> throw new IllegalArgumentException("no unit of size [" + unit + "]");
        };
    }

    private static String spell(long bytes) {
        if (bytes % GIB == 0) {
            return bytes / GIB + "GiB";
        }
        return bytes % MIB == 0 ? bytes / MIB + "MiB" : bytes + " bytes";
    }
}
