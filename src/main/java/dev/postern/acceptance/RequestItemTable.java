package dev.postern.acceptance;

import dev.postern.model.RunId;
import dev.postern.store.ResultRow;
import dev.postern.store.SqlTransaction;
import java.sql.SQLException;
import java.util.List;
import java.util.stream.Collectors;

/** The table {@code request_item}: the texts of the requests that became one run, event or delivery. */
final class RequestItemTable {

    private static final String FIND =
            "SELECT number, text, request_id, received_at FROM request_item WHERE action_id = ? ORDER BY number";

    private static final String COPY =
            """
            INSERT INTO request_item (action_id, number, text, request_id, received_at)
            SELECT ?, number, text, request_id, received_at FROM request_item WHERE action_id = ?""";

    private RequestItemTable() {}

    /** The items of a run or event that are kept, in order; none if it came from one request. */
    static List<RequestItem> find(SqlTransaction sql, String actionId) throws SQLException {
        return sql.query(FIND, RequestItemTable::item, actionId);
    }

    /**
     * The items of a run or event as one text. A program that does not know items takes it for the text of one request.
     *
     * @param all the number of requests, of which only the last may be kept
     */
    static String joined(SqlTransaction sql, String actionId, int all) throws SQLException {
        return find(sql, actionId).stream()
                .map(item -> "[" + item.number() + " of " + all + ", " + item.receivedAt() + "]\n" + item.text())
                .collect(Collectors.joining("\n\n"));
    }

    /** The texts of a delivery's items alone, as they are sent to a channel. */
    static String texts(SqlTransaction sql, String actionId) throws SQLException {
        return find(sql, actionId).stream().map(RequestItem::text).collect(Collectors.joining("\n\n"));
    }

    /** Copies the items of the run {@code from} to the new run {@code to}. */
    static void copy(SqlTransaction sql, RunId from, RunId to) throws SQLException {
        sql.update(COPY, to.value(), from.value());
    }

    private static RequestItem item(ResultRow row) throws SQLException {
        return new RequestItem(
                row.count("number"), row.text("text"), row.textOrNull("request_id"), row.instant("received_at"));
    }
}
