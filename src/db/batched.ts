import { Batch } from '#lib/batch.ts';
import type { Db } from './database.ts';

/**
 * Makes a statement for many rows out of calls for one: calls that come while it runs for others
 * are run together next, and a call alone does not wait. Where the statement fails, each call is
 * repeated alone, so that a row that the database refuses stops no other.
 */
export function batched<Ask, Result>(
  runAll: (db: Db, asks: Ask[]) => Promise<Result[]>,
): (db: Db, ask: Ask) => Promise<Result> {
  const batches = new WeakMap<Db, Batch<Ask, Result>>();
  const batchOf = (db: Db) => {
    const batch = batches.get(db) ?? new Batch((asks: Ask[]) => runAll(db, asks));
    batches.set(db, batch);
    return batch;
  };
  const runAlone = async (db: Db, ask: Ask) => (await runAll(db, [ask]))[0]!;
  return (db, ask) =>
    batchOf(db)
      .ask(ask)
      .catch(() => runAlone(db, ask));
}
