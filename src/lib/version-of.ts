import { hash } from 'node:crypto';
import { stringifyExact } from './json.ts';

/**
 * A short text that is the same for equal values of these members, whatever the order of their
 * own members.
 */
export function versionOf(record: object, members: readonly string[]): string {
  const values = members.map((name) => (record as Record<string, unknown>)[name] ?? null);
  return hash('sha1', stringifyExact(sortMembers(values)), 'base64url').slice(0, 16);
}

function sortMembers(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(sortMembers);
  if (typeof value !== 'object' || value === null) return value;
  const members = Object.entries(value).filter(([, member]) => member !== undefined);
  return Object.fromEntries(
    members
      .toSorted(([a], [b]) => (a < b ? -1 : 1))
      .map(([name, member]) => [name, sortMembers(member)]),
  );
}
