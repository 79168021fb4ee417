import type { RawResponse } from './api.ts';
import type { Described, Description } from './openapi.ts';
import { isAllowed, type GeneratedRequest } from './openapi-requests.ts';

const leaks = [
  [/\n\s+at \S/, 'a stack'],
  [/node_modules|\/work\/|\.ts:\d+/, 'a path of ours'],
  [/syntax error at or near|invalid input syntax|Kysely|PostgresError/i, 'SQL'],
  [/violates \w+[ -]\w* ?constraint|relation "\w+" does not/i, 'SQL'],
] as const;

/** Violations of the document by a response; empty for none. */
export function findViolations(
  description: Description,
  operation: Described,
  request: GeneratedRequest,
  response: RawResponse,
): string[] {
  const faults: string[] = [];
  const { status, text } = response;
  const schemas = operation.responses[String(status)];
  const type = response.headers.get('content-type')?.split(';')[0] ?? 'none';
  const schema = schemas?.[type];
  if (schemas === undefined) faults.push('a status that is not documented');
  if (
    status >= 500 &&
    !['store_unavailable', 'queue_full'].includes(response.body?.code) &&
    operation.key !== 'GET /health'
  )
    faults.push('our own failure');
  const isEmpty = schemas !== undefined && Object.keys(schemas).length === 0 && text === '';
  if (schemas && !schema && !isEmpty) faults.push(`of a type that is not documented: ${type}`);
  if (schema && type === 'application/json' && !description.isValid(schema, readLossy(text)))
    faults.push('not as its schema says');
  if (
    status < 300 &&
    operation.path !== '/admin/queues' &&
    !isAllowed(description, operation, request)
  )
    faults.push(`accepted: ${request.invalid ?? 'the document forbids it'}`);
  if (/"position":\s*0[,}\]]/.test(text)) faults.push('position 0');
  for (const [shape, what] of leaks)
    if (status >= 400 && shape.test(text)) faults.push(`reveals ${what}`);
  return faults;
}

/** Parsed as by most clients; big integers lose digits, which no schema minds. */
function readLossy(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
