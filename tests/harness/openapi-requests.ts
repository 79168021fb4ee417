import fc from 'fast-check';
import type { Described, Description, Schema } from './openapi.ts';
import { bodyMutants, mediaMutants, textMutants } from './openapi-mutants.ts';
import { valueOf, type Hints } from './openapi-values.ts';

/** A request as it is sent: texts, not values. */
export interface GeneratedRequest {
  key: string;
  method: string;
  path: Record<string, string>;
  query: [string, string][];
  body: string | null;
  mediaType: string | null;
  /** The reason why it must be refused in any case; null where only the document decides. */
  invalid: string | null;
}

/** Valid by the document; whether the day or the app exists is another matter. */
export function validRequests(
  description: Description,
  operation: Described,
  hints: Hints,
): fc.Arbitrary<GeneratedRequest> {
  const partsOf = (location: 'path' | 'query') =>
    operation.parameters
      .filter((parameter) => parameter.in === location)
      .map(({ name, required, schema }) => {
        const text = valueOf(schema, { description, hints, key: operation.key, name }).map(String);
        return [name, required ? text : fc.option(text, { freq: 2, nil: null })] as const;
      });
  const record = (parts: (readonly [string, fc.Arbitrary<string | null>])[]) =>
    fc.record(Object.fromEntries(parts));
  const body = operation.body
    ? valueOf(operation.body, { description, hints, key: operation.key, name: '' }).map((value) =>
        JSON.stringify(value),
      )
    : fc.constant(null);
  return fc
    .tuple(record(partsOf('path')), record(partsOf('query')), body)
    .map(([path, query, text]) => ({
      key: operation.key,
      method: operation.method,
      path: path as Record<string, string>,
      query: Object.entries(query).filter((pair): pair is [string, string] => pair[1] !== null),
      body: text,
      mediaType: text === null ? null : 'application/json',
      invalid: null,
    }));
}

/** A valid one with one error: in body, query, path or media type. */
export function nearValidRequests(
  description: Description,
  operation: Described,
  hints: Hints,
): fc.Arbitrary<GeneratedRequest> {
  return validRequests(description, operation, hints).chain((request) => {
    const mutants: fc.Arbitrary<GeneratedRequest>[] = [
      fc.constantFrom(...strangeQueries).map((pair) => ({
        ...request,
        query: [...request.query, pair],
        invalid: 'an unknown query member',
      })),
    ];
    if (request.body !== null) {
      mutants.push(
        bodyMutants(request.body).map((mutant) => ({ ...request, ...mutant })),
        mediaMutants.map((mutant) => ({ ...request, ...mutant })),
      );
    } else if (operation.method !== 'GET') {
      mutants.push(
        fc.constantFrom('{"surely":1}', '[]', '5', '{', '"x"').map((body) => ({
          ...request,
          body,
          mediaType: 'application/json',
          invalid: 'a body where none is wanted',
        })),
      );
    }
    if (request.query.length > 0) {
      mutants.push(
        fc.nat(request.query.length - 1).chain((at) => {
          const [name] = request.query[at]!;
          const twice = fc.constant<GeneratedRequest>({
            ...request,
            query: [...request.query, [name, 'x']],
            invalid: 'a query member twice',
          });
          const other = textMutants.map((text) => ({
            ...request,
            query: request.query.with(at, [name, text]),
          }));
          return fc.oneof(twice, { arbitrary: other, weight: 3 });
        }),
      );
    }
    const names = Object.keys(request.path);
    if (names.length > 0) {
      mutants.push(
        fc
          .tuple(fc.constantFrom(...names), textMutants)
          .map(([name, text]) => ({ ...request, path: { ...request.path, [name]: text } })),
      );
    }
    return fc.oneof(...mutants);
  });
}

const strangeQueries: [string, string][] = [
  ['surely_unknown', '1'],
  ['__proto__', '1'],
  ['constructor', 'x'],
  ['\0', '1'],
  ['limit[]', '1'],
  ['Limit', '1'],
];

export const addressOf = (request: GeneratedRequest): string => {
  const path = request.key
    .slice(request.key.indexOf(' ') + 1)
    .replace(/\{(\w+)\}/g, (_whole, name: string) => encode(request.path[name]!));
  const query = request.query.map(([name, text]) => `${encode(name)}=${encode(text)}`).join('&');
  return query === '' ? path : `${path}?${query}`;
};

/**
 * Halves of surrogate pairs have no UTF-8; they are sent as the three bytes of a careless client.
 */
function encode(text: string): string {
  return [...text]
    .map((sign) => (sign.isWellFormed() ? encodeURIComponent(sign) : '%ED%A0%80'))
    .join('');
}

/** Whether the document allows it: path, query and body. */
export function isAllowed(
  description: Description,
  operation: Described,
  request: GeneratedRequest,
): boolean {
  if (request.invalid !== null) return false;
  const has = (location: string) =>
    operation.parameters.filter((parameter) => parameter.in === location);
  const fits = (schema: Schema, text: string) => isTextOf(description, schema, text);
  const inPath = has('path').every(({ name, schema }) => fits(schema, request.path[name] ?? ''));
  const known = new Map(has('query').map((parameter) => [parameter.name, parameter]));
  const inQuery = request.query.every(
    ([name, text]) => known.has(name) && fits(known.get(name)!.schema, text),
  );
  const hasRequired = has('query').every(
    ({ name, required }) => !required || request.query.some(([given]) => given === name),
  );
  return (
    inPath &&
    inQuery &&
    hasRequired &&
    (operation.body === null || isBodyOf(description, operation, request.body))
  );
}

function isBodyOf(
  description: Description,
  { body, bodyRequired }: Described,
  text: string | null,
): boolean {
  if (text === null || text === '') return !bodyRequired;
  try {
    return description.isValid(body!, JSON.parse(text));
  } catch {
    return false;
  }
}

function isTextOf(description: Description, schema: Schema, text: string): boolean {
  if (description.isValid(schema, text)) return true;
  return /^-?(0|[1-9]\d*)$/.test(text) && description.isValid(schema, Number(text));
}
