import type { RunRow } from '#db/queries/runs/runs.ts';
import type { StoreTaskKind, StoreName } from '#domain/base/ports.ts';
import type { ShedKind } from './pressure.ts';

/** Whether a store's day has to do without this kind of work. */
export function isShed(run: Pick<RunRow, 'shed'>, store: StoreName, kind: ShedKind): boolean {
  return run.shed[store]?.includes(kind) ?? false;
}

/** Those kinds of store tasks that the store's day still does. */
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
