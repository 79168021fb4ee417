import type { McpHandler } from '#lib/mcp-handler.ts';

/**
 * The MCP server, loaded with the first request to /mcp. Most instances never get one, and the SDK
 * takes memory and time.
 */
export const handleMcpLazily: McpHandler = async (call) =>
  (await import('#mcp/http.ts')).handleMcp(call);
