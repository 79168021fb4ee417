import type { Fact, FactKind } from '#contract/imported-facts.ts';
import { insertImportedFacts } from '#db/queries/imports/imported-facts.ts';
import { utcDayOf, type UtcDay } from '#lib/dates.ts';
import { stringifyExact } from '#lib/json.ts';
import { chunk } from '../exports/export-source.ts';
import { factKinds, type FactNoun } from '#domain/tracking/imported-facts/fact-kinds.ts';
import { goneId, type IdMap } from './id-map.ts';
import type { ImportRun, Restore } from './import-run.ts';

/** Every member by which an item names a row of the workspace. */
interface References {
  id?: number;
  appId?: number | null;
  keywordId?: number;
  competitorId?: number | null;
  snapshotId?: number;
}

/** Items of one day, which become a row. */
interface FactsOfDay {
  appId: number | null;
  keywordId: number | null;
  date: UtcDay;
  items: object[];
}

const itemsPerRow = 200;

/**
 * Facts of a kind become evidence of this workspace alone, until they are published. Items about
 * apps, keywords and competitors that are not in the file are skipped, and those of future days.
 * Exports of earlier versions have the same snapshot several times; it is written once.
 */
export function restoreFacts<Kind extends FactKind>(kind: Kind): Restore<Kind> {
  const { noun, dayOf } = factKinds[kind];
  return async (run, rows) => {
    const { tx, ctx, ids } = run;
    const today = utcDayOf(ctx.clock.now());
    const known = (rows as Fact<Kind>[]).filter(
      (row) =>
        isKnown(ids, row) &&
        (dayOf(row) ?? today) <= today &&
        isFirst(run, noun, row as References),
    );
    const days = groupByDay(known, (row) => toFact(run, noun, row, dayOf(row) ?? today));
    for (const { items, ...day } of days)
      for (const part of chunk(items, itemsPerRow))
        await insertImportedFacts(tx, ctx.workspaceId, {
          ...day,
          kind,
          items: stringifyExact(part),
          toPublish: run.asPublicFacts,
        });
    return known.length;
  };
}

/** A result's `appId` is a relation, which may be to an app that the file lacks. */
function isKnown(ids: IdMap, { appId, keywordId, competitorId }: References): boolean {
  if (keywordId !== undefined) return ids.find('keyword', keywordId) !== undefined;
  return (
    ids.find('app', appId!) !== undefined &&
    ((competitorId ?? null) === null || ids.find('competitor', competitorId!) !== undefined)
  );
}

/** Apps and competitors of the same listing have its facts in common. */
function isFirst(
  { writtenFacts }: ImportRun,
  noun: FactNoun | undefined,
  { id, appId, competitorId }: References,
): boolean {
  if (noun === undefined) return true;
  const key = `${noun} ${appId} ${competitorId ?? ''}`;
  const written = writtenFacts.get(key) ?? new Set();
  writtenFacts.set(key, written);
  if (written.has(id!)) return false;
  written.add(id!);
  return true;
}

function toFact(
  { ids }: ImportRun,
  noun: FactNoun | undefined,
  row: References,
  date: UtcDay,
): FactsOfDay {
  const item = ids.renew(row) as References;
  if (noun !== undefined) item.id = ids.of(noun, row.id!);
  if (item.appId === goneId) item.appId = null;
  const keywordId = item.keywordId ?? null;
  return { appId: keywordId === null ? item.appId! : null, keywordId, date, items: [item] };
}

/** Adjacent facts of one day, in the order of the file. */
function groupByDay<Row>(rows: readonly Row[], read: (row: Row) => FactsOfDay): FactsOfDay[] {
  const days = new Map<string, FactsOfDay>();
  for (const row of rows) {
    const day = read(row);
    const key = `${day.appId} ${day.keywordId} ${day.date}`;
    const known = days.get(key);
    if (known) known.items.push(...day.items);
    else days.set(key, day);
  }
  return [...days.values()];
}
