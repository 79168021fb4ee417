import { isDeepStrictEqual } from 'node:util';
import { StoreError } from '#domain/base/ports.ts';
import { compareFacts } from './compare-facts.ts';
import { compareItems } from './compare-items.ts';
import type { Mutation } from './mutate-body.ts';
import { allowedFor, type Allowances, type Reading } from './reading.ts';

/**
 * `lost`: a value became null and its name is in `unread`. `allowed`: the body is another one that
 * the store might well send. `wrong`: a value is another one, and nothing says so.
 */
export type Outcome = 'same' | 'refused' | 'lost' | 'allowed' | 'wrong' | 'crashed';

export interface Verdict {
  outcome: Outcome;
  /** Says what is different; empty for an outcome that has no difference. */
  differences: string[];
}

export function attempt(parse: () => Reading): Reading | Error {
  try {
    return parse();
  } catch (error) {
    return error instanceof Error ? error : new Error(String(error));
  }
}

/** Compares the reading of a mutated body with that of the body before. */
export function compareReadings(
  before: Reading,
  after: Reading | Error,
  mutation: Mutation,
  allowances: Allowances,
): Verdict {
  if (after instanceof StoreError) return { outcome: 'refused', differences: [] };
  if (after instanceof Error) return { outcome: 'crashed', differences: [String(after)] };
  if (isDeepStrictEqual(before, after)) return { outcome: 'same', differences: [] };
  const found = [
    ...compareItems(before, after, mutation, allowedFor(allowances, 'items')),
    ...compareFacts(before.head, after.head, mutation, allowances),
    ...before.items.flatMap((item) => {
      const same = after.items.find(({ key }) => key === item.key);
      return same ? compareFacts(item, same, mutation, allowances) : [];
    }),
  ];
  // Another value of the same form is the value of one field, or of two that are read from it.
  const others = found.filter(({ is }) => is === 'allowed');
  const isWide = mutation.kind === 'replaced' && others.length > 2;
  const wrong = found.filter(({ is }) => is === 'wrong' || (isWide && is === 'allowed'));
  const outcome = wrong.length > 0 ? 'wrong' : (found[0]?.is ?? 'same');
  return { outcome, differences: (wrong.length > 0 ? wrong : found).map(({ what }) => what) };
}
