import type { CallToolResult } from '@modelcontextprotocol/server';
import { ApiError } from '../client/http.ts';
import { errorCatalogue, type ErrorEnvelope } from '../contract/errors.ts';
import type { Logger } from '../lib/logger.ts';
import { ToolFault } from './tool.ts';
import { cut } from './wording.ts';

/** What went wrong and what to do about it, in the API's own words. */
export function tellFault(error: unknown, log: Logger): CallToolResult {
  return { isError: true, content: [{ type: 'text', text: describeFault(error, log) }] };
}

function describeFault(error: unknown, log: Logger): string {
  if (error instanceof ToolFault) return error.message;
  if (error instanceof ApiError) return describeEnvelope(error.envelope);
  if (error instanceof Error && (error.name === 'TimeoutError' || error.name === 'AbortError'))
    return 'No answer came in time. Nothing is known to have changed; try again.';
  if (error instanceof TypeError && error.message === 'fetch failed')
    return 'Toprung cannot be reached. Retry in 2 s; if that fails too, see whether it is running.';
  log.error({ error: (error as Error).message }, 'a tool failed');
  return 'Something failed on our side. Try again; the log of the server has the details.';
}

export function describeEnvelope(envelope: ErrorEnvelope): string {
  const remedy = errorCatalogue[envelope.code]?.remedy ?? '';
  const issues = (envelope.issues ?? []).slice(0, 5).map(({ path, rule, limit, actual }) => {
    const bound = limit === null ? '' : ` (limit ${limit}${actual === null ? '' : `, given ${cut(String(actual), 80)}`})`;
    return `- ${path}: ${rule}${bound}`;
  });
  const wait = envelope.retryAfterSeconds === undefined ? '' : ` Retry in ${envelope.retryAfterSeconds} s.`;
  const message = cut(envelope.message, 600).replace(/([^.!?…])$/, '$1.');
  return [`${message} ${remedy}${wait}`.trim(), ...issues].join('\n');
}
