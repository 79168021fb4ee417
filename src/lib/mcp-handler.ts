import type { Logger } from './logger.ts';

/** A request to /mcp with a bearer token, and the web origin's knowledge of its client. */
export interface McpCall {
  request: Request;
  body: string;
  token: string;
  apiUrl: string;
  /** The client's address for the API; replaces any value that the client sent. */
  headers: Record<string, string>;
  log: Logger;
}

/** Handles requests to /mcp. */
export type McpHandler = (call: McpCall) => Promise<Response>;
