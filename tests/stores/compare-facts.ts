import { isDeepStrictEqual } from 'node:util';
import type { Mutation } from './mutate-body.ts';
import {
  allowedFor,
  type Allowance,
  type Allowances,
  type Difference,
  type Facts,
} from './reading.ts';

/** Values of one item, or of the page, that became others. */
export function compareFacts(
  before: Facts,
  after: Facts,
  mutation: Mutation,
  allowances: Allowances,
): Difference[] {
  const fields = Object.keys(after.values).length === 0 ? [] : Object.keys(before.values);
  if (fields.length === 0 && Object.keys(before.values).length > 0) {
    const isFine = mutation.is !== 'malformed' && allowances['card'] !== undefined;
    return [{ is: isFine ? 'allowed' : 'wrong', what: `${before.key} has no card` }];
  }
  return fields
    .filter((field) => !isDeepStrictEqual(before.values[field], after.values[field]))
    .map((field) => {
      const [was, is] = [before.values[field], after.values[field]];
      const what = `${before.key}.${field}: ${show(was)} became ${show(is)}`;
      if (after.unread.includes(field)) return { is: 'lost', what };
      const allowed = allowedFor(allowances, field);
      const isBlank = allowed.includes('blank') && isBlankText(mutation);
      const isFine = isBlank || isAllowed(was, is, mutation, allowed);
      return { is: isFine ? 'allowed' : 'wrong', what };
    });
}

function isAllowed(
  was: unknown,
  is: unknown,
  { kind, is: mutationClass }: Mutation,
  allowed: readonly Allowance[],
): boolean {
  if (allowed.includes('follows')) return mutationClass !== 'malformed';
  if (allowed.includes('seconds') && isDeepStrictEqual(withoutFractions(was), is))
    return mutationClass !== 'malformed';
  if (allowed.includes('other') && !isNothing(is)) return true;
  if (allowed.includes('cautious') && isNothing(is)) return true;
  if (isNothing(is)) return mutationClass !== 'malformed' && allowed.includes('absent');
  if (Array.isArray(was) && Array.isArray(is) && allowed.includes('fewer'))
    return (
      kind === 'replaced' || is.every((part) => was.some((own) => isDeepStrictEqual(own, part)))
    );
  if (kind === 'huge') return allowed.includes('large');
  if (kind === 'fraction') return allowed.includes('decimal');
  return kind === 'replaced';
}

/** An element of XML without a text has an empty one. */
function isBlankText({ after, path }: Mutation): boolean {
  return after === '' || ((after ?? null) === null && path.at(-1) === 'text');
}

const withoutFractions = (value: unknown): unknown =>
  JSON.parse(
    JSON.stringify(value ?? null).replaceAll(/(?<="\d{4}-[\d:T-]{14})\.\d{3}Z(?=")/g, '.000Z'),
  );

const isNothing = (value: unknown) =>
  value === null || value === '' || value === false || (Array.isArray(value) && value.length === 0);

function show(value: unknown): string {
  const text = JSON.stringify(value, (_key, part: unknown) =>
    typeof part === 'bigint' ? String(part) : part,
  );
  return (text ?? 'undefined').slice(0, 120);
}
