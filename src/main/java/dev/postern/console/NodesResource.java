package dev.postern.console;

import dev.postern.dispatch.NodeQueries;
import dev.postern.store.StoreException;
import jakarta.ws.rs.GET;
import java.util.List;

/** A resource that lists the nodes that share the database. */
@RequiresUser
public final class NodesResource {

    private static final int MOST = 200;

    private final NodeQueries queries;
    private final String self;

    /**
     * @param self the id of the node that shows them
     */
    NodesResource(NodeQueries queries, String self) {
        this.queries = queries;
        this.self = self;
    }

    /**
     * The nodes.
     *
     * @param self the id of the node that answers
     */
    record Nodes(String self, List<NodeQueries.Line> nodes) {}

    /** The nodes, at most 200, the one that started first first. */
    @GET
    @PageTemplate("nodes")
    public Nodes all() throws StoreException {
        return new Nodes(self, queries.all(MOST));
    }
}
