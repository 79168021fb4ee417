import type { RunRow } from '#db/queries/runs/runs.ts';
import type { StoreTaskKind, StoreName } from '#domain/base/ports.ts';
import type { ShedKind } from './pressure.ts';

/** True if the store's day sheds this kind of work. */
export function isShed(run: Pick<RunRow, 'shed'>, store: StoreName, kind: ShedKind): boolean {
  return run.shed[store]?.includes(kind) ?? false;
}

/** The kinds of store tasks that the store's day does not shed. */
export function remainingKinds(
  run: Pick<RunRow, 'shed'>,
  store: StoreName,
  kinds: readonly StoreTaskKind[],
): StoreTaskKind[] {
  return kinds.filter((kind) => !isShed(run, store, kind));
}

export function storeTaskKindsOf(shed: readonly ShedKind[]): StoreTaskKind[] {
  return shed.filter((kind) => kind !== 'refresh');
}
