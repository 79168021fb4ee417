import type { AnswerMcp } from '../lib/mcp-call.ts';

/** The tools for models, loaded with the first request to /mcp: most instances never get one, and the SDK takes memory and time. */
export const answerMcpLate: AnswerMcp = async (call) =>
  (await import('../mcp/http.ts')).answerMcp(call);
