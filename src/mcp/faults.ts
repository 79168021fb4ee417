import type { CallToolResult } from '@modelcontextprotocol/server';
import { ApiError } from '../client/http.ts';
import { errorCatalogue, type ErrorEnvelope } from '../contract/errors.ts';
import type { Logger } from '../lib/logger.ts';
import { ToolFault } from './tool.ts';
import { cut } from './wording.ts';

/** What went wrong and what to do about it, in the API's own words. */
export function tellFault(error: unknown, log: Logger): CallToolResult {
  const told = describeFault(error);
  if (told === null) log.error({ error: (error as Error).message }, 'a tool failed');
  const text =
    told ?? 'Something failed on our side. Try again; the log of the server has the details.';
  return { isError: true, content: [{ type: 'text', text }] };
}

/** Null for what should not happen. */
export function describeFault(error: unknown): string | null {
  if (error instanceof ToolFault) return error.message;
  if (error instanceof ApiError) return describeEnvelope(error.envelope);
  if (error instanceof Error && (error.name === 'TimeoutError' || error.name === 'AbortError'))
    return 'No answer came in time. What was to be changed may be changed all the same: look before you try again.';
  if (error instanceof TypeError && ['fetch failed', 'terminated'].includes(error.message))
    return 'Toprung cannot be reached. Retry in 2 s, a change only when you have looked whether it was made; if that fails too, see whether it is running.';
  return null;
}

export function describeEnvelope(envelope: ErrorEnvelope): string {
  const remedy = errorCatalogue[envelope.code]?.remedy ?? '';
  const issues = (envelope.issues ?? []).slice(0, 5).map(({ path, rule, limit, actual }) => {
    const bound =
      limit === null
        ? ''
        : ` (limit ${cut(String(limit), 200)}${actual === null ? '' : `, given ${cut(String(actual), 80)}`})`;
    return `- ${cut(path, 100)}: ${cut(rule, 160)}${bound}`;
  });
  const wait =
    envelope.retryAfterSeconds === undefined ? '' : ` Retry in ${envelope.retryAfterSeconds} s.`;
  const message = cut(envelope.message, 600).replace(/([^.!?…])$/, '$1.');
  return [`${message} ${remedy}${wait}`.trim(), ...issues].join('\n');
}
