package dev.postern.channel.text;

import java.util.ArrayList;
import java.util.List;
import org.commonmark.ext.gfm.tables.TableBlock;
import org.commonmark.ext.gfm.tables.TableCell;
import org.commonmark.ext.gfm.tables.TableRow;
import org.commonmark.node.Node;

/** The text of a table in the form that a dialect uses. The first row is the head. */
final class TableText {

    /** Limit of an aligned table's width in columns; a wider one would wrap on any screen and is written cell by cell. */
    private static final int WIDEST = 100;

    /** Limit of a column's name in characters; a longer one isn't repeated before each cell. */
    private static final int LONGEST_NAME = 60;

    private static final String BETWEEN = " | ";

    /** A cell as a node and as plain text. */
    private record Cell(TableCell node, String text) {}

    private final InlineWriter inlineWriter;
    private final MarkupDialect.Tables form;
    private final List<List<Cell>> rows = new ArrayList<>();
    private final int[] widths;

    /**
     * @param inlineWriter writer for the cells of a table that isn't aligned
     * @param longest limit of a table that stays a table, in characters; a longer one would be cut and broken
     */
    TableText(TableBlock table, MarkupDialect dialect, InlineWriter inlineWriter, int longest) {
        this.inlineWriter = inlineWriter;
        InlineWriter plain = inlineWriter.plain();
        int length = 0;
        boolean hasPipe = false;
        for (Node section = table.getFirstChild(); section != null; section = section.getNext()) {
            for (Node row = section.getFirstChild(); row instanceof TableRow; row = row.getNext()) {
                List<Cell> cells = cells(row, plain);
                rows.add(cells);
                length += cells.stream()
                        .mapToInt(cell -> cell.text().length() + 3)
                        .sum();
                hasPipe |= cells.stream().anyMatch(cell -> cell.text().contains("|"));
            }
        }
        this.widths = widths();
        this.form = form(dialect.tables(), hasPipe || length > longest);
    }

    private static List<Cell> cells(Node row, InlineWriter plain) {
        List<Cell> cells = new ArrayList<>();
        for (Node node = row.getFirstChild(); node instanceof TableCell cell; node = node.getNext()) {
            BlockBuilder text = new BlockBuilder();
            plain.write(cell, new InlineWriter.Target(text, " "), 0);
            cells.add(new Cell(cell, text.text().strip()));
        }
        return cells;
    }

    private int[] widths() {
        int[] widest = new int[rows.get(0).size()];
        for (List<Cell> row : rows) {
            for (int i = 0; i < row.size(); i++) {
                widest[i] =
                        Math.max(widest[i], CharacterClasses.columns(row.get(i).text()));
            }
        }
        return widest;
    }

    private MarkupDialect.Tables form(MarkupDialect.Tables wanted, boolean cannotStay) {
        MarkupDialect.Tables possible =
                wanted == MarkupDialect.Tables.KEPT && cannotStay ? MarkupDialect.Tables.ALIGNED : wanted;
        int width = 0;
        for (int column : widths) {
            width += column + BETWEEN.length();
        }
        return possible == MarkupDialect.Tables.ALIGNED && width > WIDEST ? MarkupDialect.Tables.NAMED : possible;
    }

    boolean isAligned() {
        return form == MarkupDialect.Tables.ALIGNED;
    }

    /** The table as lines for a monospaced font. */
    String aligned() {
        StringBuilder out = new StringBuilder();
        for (int row = 0; row < rows.size(); row++) {
            StringBuilder line = new StringBuilder();
            for (int i = 0; i < rows.get(row).size(); i++) {
                line.append(i == 0 ? "" : BETWEEN);
                pad(line, rows.get(row).get(i), widths[i]);
            }
            out.append(row == 0 ? "" : "\n").append(line.toString().stripTrailing());
            if (row == 0) {
                out.append('\n').append(underline());
            }
        }
        return out.toString();
    }

    private static void pad(StringBuilder out, Cell cell, int width) {
        int missing = width - CharacterClasses.columns(cell.text());
        TableCell.Alignment alignment = cell.node().getAlignment();
        int before = alignment == TableCell.Alignment.RIGHT
                ? missing
                : alignment == TableCell.Alignment.CENTER ? missing / 2 : 0;
        out.append(" ".repeat(before)).append(cell.text()).append(" ".repeat(missing - before));
    }

    private String underline() {
        StringBuilder line = new StringBuilder();
        for (int i = 0; i < widths.length; i++) {
            line.append(i == 0 ? "" : "-+-").append("-".repeat(widths[i]));
        }
        return line.toString();
    }

    /** Writes a table that isn't aligned. */
    void write(InlineWriter.Target target) {
        if (form == MarkupDialect.Tables.KEPT) {
            kept(target);
        } else if (rows.size() > 1
                && rows.get(0).stream().allMatch(name -> name.text().length() <= LONGEST_NAME)) {
            named(target);
        } else {
            listed(target);
        }
    }

    private void kept(InlineWriter.Target target) {
        for (int row = 0; row < rows.size(); row++) {
            target.builder().literal(row == 0 ? "|" : target.lineBreak() + "|");
            for (Cell cell : rows.get(row)) {
                target.builder().literal(" ");
                inlineWriter.write(cell.node(), target.inOneLine(), 0);
                target.builder().literal(" |");
            }
            if (row == 0) {
                target.builder().literal(target.lineBreak() + "|");
                rows.get(0).forEach(cell -> target.builder()
                        .literal(rule(cell.node().getAlignment())));
            }
        }
    }

    private static String rule(TableCell.Alignment alignment) {
        if (alignment == TableCell.Alignment.RIGHT) {
            return " ---: |";
        }
        return alignment == TableCell.Alignment.CENTER ? " :---: |" : " --- |";
    }

    private void named(InlineWriter.Target target) {
        boolean begun = false;
        for (List<Cell> row : rows.subList(1, rows.size())) {
            boolean first = true;
            for (int i = 0; i < row.size(); i++) {
                if (row.get(i).text().isEmpty()) {
                    continue;
                }
                target.builder().literal(begun && first ? "\n" : "");
                target.builder().literal(begun ? target.lineBreak() : "");
                Cell name = rows.get(0).get(i);
                if (!name.text().isEmpty()) {
                    inlineWriter.write(name.node(), target.inOneLine(), TextStyle.BOLD.bit());
                    target.builder().text(": ", TextStyle.BOLD.bit(), null);
                }
                inlineWriter.write(row.get(i).node(), target.inOneLine(), 0);
                begun = true;
                first = false;
            }
        }
    }

    private void listed(InlineWriter.Target target) {
        for (int row = 0; row < rows.size(); row++) {
            target.builder().literal(row == 0 ? "" : target.lineBreak());
            for (int i = 0; i < rows.get(row).size(); i++) {
                target.builder().text(i == 0 ? "" : BETWEEN, 0, null);
                inlineWriter.write(
                        rows.get(row).get(i).node(), target.inOneLine(), row == 0 ? TextStyle.BOLD.bit() : 0);
            }
        }
    }
}
