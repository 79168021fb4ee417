import { McpServer, type CallToolResult } from '@modelcontextprotocol/server';
import type { Client } from '../client/http.ts';
import { apiVersion } from '../contract/index.ts';
import type { Logger } from '../lib/logger.ts';
import { cutRows } from './cut-rows.ts';
import { tellFault } from './faults.ts';
import { addGuide, tellInstructions } from './guide.ts';
import { addPrompts } from './prompts.ts';
import type { Tool, Toolset } from './tool.ts';
import { toolTable } from './tools/index.ts';

export interface McpServerOptions {
  /** The API with the caller's own token: what that may not do, no tool does. */
  api: Client;
  log: Logger;
  /** Only tools that change nothing are there. */
  readOnly: boolean;
  /** All of them unless given. */
  toolsets?: readonly Toolset[] | undefined;
}

/** About 8,000 tokens; pages are made to stay below. */
const textCharactersMax = 32_000;
/** Nothing is pushed to anybody, so nothing is announced. */
const capabilities = {
  tools: { listChanged: false },
  prompts: { listChanged: false },
  resources: { listChanged: false },
};

/** A server for one request (or one stdio connection): it remembers nothing. */
export function createMcpServer(options: McpServerOptions): McpServer {
  const tools = listTools(options);
  const listed = new Set(tools.map((tool) => tool.name));
  const about = { name: 'toprung', title: 'Toprung', version: apiVersion };
  const server = new McpServer(about, { capabilities, instructions: tellInstructions(listed) });
  for (const tool of tools) addTool(server, tool, options);
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

function addTool(server: McpServer, tool: Tool, { api, log }: McpServerOptions): void {
  const { title, description, input: inputSchema, output: outputSchema, annotations } = tool;
  server.registerTool(
    tool.name,
    { title, description, inputSchema, outputSchema, annotations },
    async (args, { mcpReq }): Promise<CallToolResult> => {
      try {
        const { text, data } = await tool.run((key, input) => api(key, input, mcpReq.signal), args);
        return {
          content: [{ type: 'text', text: cutRows(text, textCharactersMax) }],
          structuredContent: data,
        };
      } catch (error) {
        return tellFault(error, log);
      }
    },
  );
}
