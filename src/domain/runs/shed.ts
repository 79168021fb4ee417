import type { RunRow } from '../../db/queries/runs.ts';
import type { ChoreKind, StoreName } from '../ports.ts';
import type { ShedKind } from './pressure.ts';

/** Whether a store's day has to do without this kind of work. */
export function isShed(run: Pick<RunRow, 'shed'>, store: StoreName, kind: ShedKind): boolean {
  return run.shed[store]?.includes(kind) ?? false;
}

/** Those kinds of chores that the store's day still does. */
export function keptKinds(
  run: Pick<RunRow, 'shed'>,
  store: StoreName,
  kinds: readonly ChoreKind[],
): ChoreKind[] {
  return kinds.filter((kind) => !isShed(run, store, kind));
}

export function choreKindsOf(shed: readonly ShedKind[]): ChoreKind[] {
  return shed.filter((kind) => kind !== 'refresh');
}
