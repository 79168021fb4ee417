import { McpServer, type CallToolResult } from '@modelcontextprotocol/server';
import type { Client } from '#client/http.ts';
import { apiVersion } from '#contract/index.ts';
import type { Logger } from '#lib/logger.ts';
import { truncateRows } from './truncate-rows.ts';
import { describeToolError, formatToolError } from './tool-errors.ts';
import { addGuide, formatInstructions, type Listed } from './guide.ts';
import { addPrompts } from './prompts.ts';
import type { Tool, Toolset } from './tool.ts';
import { toolTable } from './tools/index.ts';

export interface McpServerOptions {
  /** The API with the caller's token. Tools can do what the token can, and nothing more. */
  api: Client;
  log: Logger;
  /** Offers only tools that change nothing. */
  readOnly: boolean;
  /** All toolsets by default. */
  toolsets?: readonly Toolset[] | undefined;
}

/** About 8,000 tokens. Pages are sized to stay below that. */
const textCharactersMax = 32_000;
/** The server pushes nothing to clients, so it announces no such capability. */
const capabilities = {
  tools: { listChanged: false },
  prompts: { listChanged: false },
  resources: { listChanged: false },
};

/** Creates a server for one request, or for one stdio connection. It keeps no state. */
export function createMcpServer(options: McpServerOptions): McpServer {
  const tools = listTools(options);
  const listed = new Set(tools.map((tool) => tool.name));
  const about = { name: 'toprung', title: 'Toprung', version: apiVersion };
  const server = new McpServer(about, { capabilities, instructions: formatInstructions(listed) });
  for (const tool of tools) addTool(server, tool, { ...options, listed });
  addPrompts(server, listed);
  addGuide(server, listed);
  return server;
}

export function listTools({
  readOnly,
  toolsets,
}: Pick<McpServerOptions, 'readOnly' | 'toolsets'>): Tool[] {
  return Object.entries(toolTable)
    .filter(([toolset]) => !toolsets || toolsets.includes(toolset as Toolset))
    .flatMap(([, tools]) => tools)
    .filter((tool) => tool.isRead || !readOnly);
}

function addTool(
  server: McpServer,
  tool: Tool,
  { api, log, listed }: McpServerOptions & { listed: Listed },
): void {
  const { title, description, input: inputSchema, output: outputSchema, annotations } = tool;
  const describeError = (error: unknown) => describeToolError(error, { tool, listed });
  server.registerTool(
    tool.name,
    { title, description, inputSchema, outputSchema, annotations },
    async (args, { mcpReq }): Promise<CallToolResult> => {
      try {
        const abortable: Client = (key, input) => api(key, input, mcpReq.signal);
        const { text, data } = await tool.run(abortable, args, describeError);
        return {
          content: [{ type: 'text', text: truncateRows(text, textCharactersMax) }],
          structuredContent: data,
        };
      } catch (error) {
        return formatToolError(error, describeError(error), log);
      }
    },
  );
}
