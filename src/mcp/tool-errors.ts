import type { CallToolResult } from '@modelcontextprotocol/server';
import { ApiError } from '#client/http.ts';
import { errorCatalogue, type ErrorEnvelope } from '#contract/errors.ts';
import type { Logger } from '#lib/logger.ts';
import { ToolError } from './tool.ts';
import { cut } from './text-format.ts';

/** Formats the error and its remedy in the API's words. */
export function formatToolError(error: unknown, log: Logger): CallToolResult {
  const description = describeToolError(error);
  if (description === null) log.error({ error: (error as Error).message }, 'a tool failed');
  const text =
    description ?? 'An internal error occurred. Try again; the server’s log has the details.';
  return { isError: true, content: [{ type: 'text', text }] };
}

/** Null for an unexpected error. */
export function describeToolError(error: unknown): string | null {
  if (error instanceof ToolError) return error.message;
  if (error instanceof ApiError) return describeEnvelope(error.envelope);
  if (error instanceof Error && (error.name === 'TimeoutError' || error.name === 'AbortError'))
    return (
      'No response came in time. The change may have been made all the same: check before you ' +
      'try again.'
    );
  if (error instanceof TypeError && ['fetch failed', 'terminated'].includes(error.message))
    return (
      'Toprung cannot be reached. Retry in 2 s; before repeating a change, check whether it ' +
      'was made. If that fails too, check whether Toprung is running.'
    );
  return null;
}

function describeEnvelope(envelope: ErrorEnvelope): string {
  const remedy = errorCatalogue[envelope.code]?.remedy ?? '';
  const issues = (envelope.issues ?? [])
    .slice(0, 5)
    .map(({ path, message: rule, limit, actual }) => {
      const given = actual === null ? '' : `, given ${cut(String(actual), 80)}`;
      const bound = limit === null ? '' : ` (limit ${cut(String(limit), 200)}${given})`;
      return `- ${cut(path, 100)}: ${cut(rule, 160)}${bound}`;
    });
  const wait =
    envelope.retryAfterSeconds === undefined ? '' : ` Retry in ${envelope.retryAfterSeconds} s.`;
  const message = cut(envelope.message, 600).replace(/([^.!?…])$/, '$1.');
  return [`${message} ${remedy}${wait}`.trim(), ...issues].join('\n');
}
