package dev.postern.store;

import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.zip.CRC32;

/**
 * A step of the schema: one of the files below {@code /db}.
 *
 * @param version its number, which is that of the schema with it
 * @param name the file's name
 * @param script the file's text
 */
record SchemaStep(int version, String name, String script) {

    private static final Pattern SINCE = Pattern.compile("\\A-- Works with programs since schema ([0-9]+)\\.\n");

    /** The line behind which a script's statements are not run on SQLite. */
    private static final String POSTGRES_ALONE = "-- The rest is for PostgreSQL alone.\n";

    /** Reads the step {@code version} from its file {@code name}. */
    static SchemaStep read(int version, String name) throws StoreException {
        try (InputStream in = SchemaStep.class.getResourceAsStream("/db/" + name)) {
            if (in == null) {
                throw new StoreException("the schema's step [" + name + "] is missing from this build");
            }
            String script = new String(in.readAllBytes(), StandardCharsets.UTF_8);
            return new SchemaStep(version, name, script.replace("\r\n", "\n"));
        } catch (IOException e) {
            throw new StoreException("the schema's step [" + name + "] can't be read", e);
        }
    }

    /** The statements of the script for {@code dialect}, in order. */
    List<String> statements(SqlDialect dialect) {
        int rest = dialect == SqlDialect.SQLITE ? script.indexOf(POSTGRES_ALONE) : -1;
        String part = rest < 0 ? script : script.substring(0, rest);
        return Arrays.stream(part.split(";\\s*\\n", -1))
                .filter(statement -> !statement.isBlank())
                .toList();
    }

    /** The oldest schema whose programs can work with the result of this step. */
    int oldestProgram() {
        Matcher since = SINCE.matcher(script);
        return since.find() ? Integer.parseInt(since.group(1)) : version;
    }

    /** The checksum of the script, in hexadecimal. */
    String checksum() {
        CRC32 crc = new CRC32();
        crc.update(script.getBytes(StandardCharsets.UTF_8));
        return HexFormat.of().toHexDigits((int) crc.getValue());
    }

    /** Rejects a database in which this step was applied in another form, with the checksum {@code applied}. */
    void requireForm(String applied) throws StoreException {
        if (!applied.equals(checksum())) {
            throw new StoreException("the schema's step [" + name + "] was applied in another form [" + applied
                    + "] than this version has [" + checksum() + "]; run the version that made this database");
        }
    }
}
