import { isDeepStrictEqual } from 'node:util';
import { stringifyExact } from '#lib/json.ts';
import type { Mutation } from './mutate-body.ts';
import type { Allowance, Difference, Reading } from './reading.ts';

/** Items that vanished, appeared or changed their order. */
export function compareItems(
  before: Reading,
  after: Reading,
  mutation: Mutation,
  allowed: readonly Allowance[],
): Difference[] {
  const [was, is] = [keysOf(before), keysOf(after)];
  const gone = was.filter((key) => !is.includes(key));
  const fresh = is.filter((key) => !was.includes(key));
  // An app in a section that nobody knows is lost, as the page says so.
  const isNoted = after.head.unread.length > before.head.unread.length;
  const isFine =
    is.length === 0 ? mayBeEmpty(gone, mutation, allowed) : mayBeGone(gone, mutation, allowed);
  const isReordered = !isDeepStrictEqual(
    was.filter((key) => is.includes(key)),
    is.filter((key) => was.includes(key)),
  );
  const mayReorder = orderKinds.has(mutation.kind) && allowed.includes('order');
  const isReplaced = mutation.kind === 'replaced' && fresh.length === 1;
  const found: (Difference | false)[] = [
    gone.length > 0 && {
      is: isNoted ? 'lost' : verdictOf(isFine),
      what: `${gone.length} of ${was.length} are gone: ${gone.slice(0, 2).join()}`,
    },
    fresh.length > 0 && { is: verdictOf(isReplaced), what: `new: ${fresh.slice(0, 2).join()}` },
    isReordered && { is: verdictOf(mayReorder), what: 'another order' },
  ];
  return found.filter((difference) => difference !== false);
}

const keysOf = ({ items }: Reading) => items.map(({ key }) => key);
const verdictOf = (isFine: boolean): Difference['is'] => (isFine ? 'allowed' : 'wrong');

/** Items may be gone if nothing in the changed body still names them. */
function mayBeGone(
  gone: readonly string[],
  mutation: Mutation,
  allowed: readonly Allowance[],
): boolean {
  if (mutation.is === 'malformed') return false;
  if (allowed.includes('elsewhere') && !movingKinds.has(mutation.kind)) return true;
  return namedIn(mutation.root, gone).length === 0;
}

function mayBeEmpty(
  gone: readonly string[],
  { kind, root }: Mutation,
  allowed: readonly Allowance[],
): boolean {
  if (!allowed.includes('fewer')) return false;
  const named = namedIn(root, gone);
  const isElsewhere = allowed.includes('elsewhere') && !movingKinds.has(kind);
  return isElsewhere || named.length === 0 || named.length < gone.length;
}

function namedIn(root: unknown, keys: readonly string[]): string[] {
  const data = stringifyExact(root);
  return keys.filter((key) => mentions(data, key));
}

/** Mutations after which the items are still in the body. */
const orderKinds = new Set(['reordered', 'moved']);
const movingKinds = new Set(['renamed', 'moved', 'shifted']);

/** True when the changed data still have the key of an item that is gone. */
function mentions(data: string, key: string): boolean {
  const escaped = JSON.stringify(key)
    .slice(1, -1)
    .replace(/[.*+?^${}()|[\]\\]/g, '\\$&');
  const isId = /^[\w.-]+$/.test(key) && /[\d.]/.test(key);
  const pattern = isId ? `(?<![\\w.])${escaped}(?![\\w.])` : `"${escaped}"`;
  return new RegExp(pattern).test(data);
}
