import { versionOf } from '#lib/version-of.ts';
import type { Ctx } from './context.ts';
import { AppError } from './errors.ts';

/** The ETag of a record: it changes with its editable members and with nothing else. */
export const etagOf = (record: object, members: readonly string[]): string =>
  `"${versionOf(record, members)}"`;

/**
 * Compares the current record, which the transaction has locked, with `If-Match`. Throws
 * precondition_failed with the current ETag; without `If-Match` every state is accepted.
 */
export function assertUnchanged({ precondition }: Pick<Ctx, 'precondition'>, record: object): void {
  if (!precondition) return;
  const current = versionOf(record, precondition.members);
  if (precondition.versions.includes(current)) return;
  throw new AppError('precondition_failed', undefined, { etag: `"${current}"` });
}
