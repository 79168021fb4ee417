import type { Logger } from './logger.ts';

/** A request to /mcp that names a bearer token, with what the web origin knows of it. */
export interface McpCall {
  request: Request;
  body: string;
  token: string;
  apiUrl: string;
  /** Who the caller is, for the API; it takes the place of whatever the caller wrote. */
  headers: Record<string, string>;
  log: Logger;
}

/** What the web origin hands such requests to. */
export type AnswerMcp = (call: McpCall) => Promise<Response>;
