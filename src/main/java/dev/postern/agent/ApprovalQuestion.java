package dev.postern.agent;

/**
 * A question to operators: whether an agent may make a tool call.
 *
 * @param call the number of calls before it in the turn
 * @param server the id below {@code mcp}
 * @param tool the tool's name at its server
 * @param arguments a JSON object as the model wrote it: untrusted text
 */
public record ApprovalQuestion(int call, String server, String tool, String arguments) {}
