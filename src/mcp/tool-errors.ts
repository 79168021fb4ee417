import type { CallToolResult } from '@modelcontextprotocol/server';
import { ApiError } from '#client/http.ts';
import { errorCatalogue, type ErrorEnvelope, type Issue } from '#contract/errors.ts';
import type { Logger } from '#lib/logger.ts';
import { identifiers } from './api-names.ts';
import type { Listed } from './guide.ts';
import { remedies } from './remedies.ts';
import { ToolError, type Tool } from './tool.ts';
import { cut } from './text-format.ts';

/** The tool that failed, and the names of the tools that this client is offered. */
export interface FailedCall {
  tool: Pick<Tool, 'arguments' | 'apiNames'>;
  listed: Listed;
}

/** A null description means that the error was not expected. */
export function formatToolError(
  error: unknown,
  description: string | null,
  log: Logger,
): CallToolResult {
  if (description === null) log.error({ error: (error as Error).message }, 'a tool failed');
  const text =
    description ?? 'An internal error occurred. Try again; the server’s log has the details.';
  return { isError: true, content: [{ type: 'text', text }] };
}

/** Null for an unexpected error. */
export function describeToolError(error: unknown, call: FailedCall): string | null {
  if (error instanceof ToolError) return error.message;
  if (error instanceof ApiError) return describeEnvelope(error.envelope, call);
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

const issuesMax = 5;

/** The error and its remedy in the words of the tool: its arguments, and tools to call next. */
function describeEnvelope(envelope: ErrorEnvelope, call: FailedCall): string {
  const { code, retryAfterSeconds: seconds, issues = [] } = envelope;
  const { remedy, next } = remedies[code] ?? { remedy: '' };
  const sentences = [
    describeFault(envelope, call),
    remedy,
    seconds !== undefined && `Retry in ${seconds} s.`,
    next && call.listed.has(next[0]) && `${next[0]} ${next[1]}.`,
  ];
  const rows = issues.slice(0, issuesMax).map((issue) => formatIssue(issue, call));
  return [sentences.filter(Boolean).join(' '), ...rows].join('\n');
}

/** The message of an error with issues repeats the first of them. */
function describeFault({ code, message, path, issues }: ErrorEnvelope, call: FailedCall): string {
  if (code === 'not_found') return describeMissing(path, call);
  if (code === 'invalid_request') return 'The arguments were not accepted.';
  const text = issues?.length ? errorCatalogue[code].meaning : message;
  return cut(text, 600).replace(/([^.!?…])$/, '$1.');
}

/** `appId 5 does not exist in this workspace. list_apps lists valid ids.` */
function describeMissing(path: string, { tool, listed }: FailedCall): string {
  const found = [...path.matchAll(/\/([\w-]+)\/(\d+|delete)(?=\/|$)/g)].flatMap(([, noun, id]) => {
    const known = identifiers[noun!];
    if (!known) return [];
    const name = tool.arguments.has(known.argument) ? known.argument : `${known.argument}s`;
    return [{ subject: id === 'delete' ? `one of ${name}` : `${name} ${id}`, ...known }];
  });
  const subjects = found.map(({ subject }) => subject);
  const listers = found.flatMap(({ listedBy }) =>
    listedBy !== undefined && listed.has(listedBy) ? [listedBy] : [],
  );
  const subject = subjects.length > 1 ? `Either ${subjects.join(' or ')}` : subjects[0];
  const sentence = `${subject ?? 'The requested item'} does not exist in this workspace.`;
  const next = `${listers.join(' and ')} ${listers.length > 1 ? 'list' : 'lists'} valid ids.`;
  return listers.length === 0 ? sentence : `${sentence} ${next}`;
}

function formatIssue(issue: Issue, call: FailedCall): string {
  const { message, limit, actual } = issue;
  const name = nameArgument(issue.path, call.tool);
  const given = actual === null ? '' : `, given ${cut(String(actual), 80)}`;
  const bound = limit === null ? '' : ` (limit ${cut(String(limit), 200)}${given})`;
  const isArchived = message.includes('archived') && call.listed.has('add_app');
  const next = isArchived ? ' (add_app restores it)' : '';
  return `- ${name === null ? '' : `${name}: `}${cut(message, 160)}${bound}${next}`;
}

/** `query.from` is the argument `from`; null for a parameter that is no argument of the tool. */
function nameArgument(path: string, tool: FailedCall['tool']): string | null {
  const [first = '', ...rest] = path.replace(/^(query|params|headers)\./, '').split('.');
  const { [first]: renamed } = tool.apiNames;
  const name = [renamed, first].find((one) => one !== undefined && tool.arguments.has(one));
  return name === undefined ? null : cut([name, ...rest].join('.'), 100);
}
