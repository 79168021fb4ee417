import { activeSpan, inSpan } from '#lib/tracing.ts';
import { nameOf } from './statement-names.ts';

const maxSummaries = 1_000;
const summaries = new Map<string, { summary: string; operation: string }>();

const operations = ['SELECT', 'INSERT', 'UPDATE', 'DELETE', 'WITH', 'COMMIT', 'ROLLBACK', 'SET'];
const firstWord = /^\s*(?:\/\* [a-z0-9-]{1,60} \*\/\s*)?([a-z]+)/i;
const target = /\b(?:from|into|update|join)\s+"?([a-z_]+)"?/i;

/** Sends a statement in a span of its own where somebody waits for it. */
export function inStatementSpan<Result>(
  text: string,
  send: () => Promise<Result>,
): Promise<Result> {
  if (activeSpan() === null) return send();
  const { summary, operation } = summaryOf(text);
  const attributes = {
    'db.system.name': 'postgresql',
    'db.operation.name': operation,
    'db.query.summary': summary,
  };
  return inSpan({ name: summary, kind: 'client', attributes }, send);
}

/** The name in its comment, or its operation and its first table. Both are in our code. */
function summaryOf(text: string): { summary: string; operation: string } {
  const known = summaries.get(text);
  if (known) return known;
  const word = firstWord.exec(text)?.[1]?.toUpperCase() ?? '';
  const operation = operations.includes(word) ? word : 'OTHER';
  const table = target.exec(text)?.[1];
  const summary = nameOf(text) ?? (table ? `${operation} ${table}` : operation);
  const found = { summary, operation };
  if (summaries.size < maxSummaries) summaries.set(text, found);
  return found;
}
