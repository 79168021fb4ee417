import type { z } from 'zod';
import type { impact } from '#contract/changes.ts';
import type { Tx } from '#db/database.ts';
import { countChanges, type ChangeRow } from '#db/queries/changes/changes.ts';
import { addDays, daysBetween, minDay, startOfDayMs, utcDayOf, type UtcDay } from '#lib/dates.ts';
import { inTenant, type Ctx } from '#domain/base/context.ts';
import { listFollowed, type Followed } from '../rankings/followed-keywords.ts';
import { loadVisibleRows } from '../rankings/load-visible-rows.ts';
import { keepProviderOf, type VisibleRow } from '../rankings/visible-rows.ts';
import { windowOf } from '#domain/base/day-window.ts';
import type { Sides } from './compare-groups.ts';
import { compareWords } from './compare-words.ts';
import { getChange, listImportedChanges, presentChange } from './list-changes.ts';

export type Impact = z.input<typeof impact>;

const maxWords = 200;

/**
 * Compares positions before and after a change in its country: keywords with words that the field
 * gained or lost, and the others as control. The days between the two readings count on neither
 * side. Throws not_found.
 */
export async function measureImpact(
  ctx: Ctx,
  id: number,
  { windowDays }: { windowDays: number },
): Promise<Impact> {
  // Loads the statistics library, 2 MB that most processes never need.
  const { compareGroups, method, summariseGroup } = await import('./compare-groups.ts');
  return inTenant(ctx, async (tx) => {
    const change = await getChange(tx, ctx, id);
    const sides = sidesOf(change, windowDays, utcDayOf(ctx.clock.now()));
    const words = compareWords(change);
    const isOwn = change.competitorId === null;
    const keywords = isOwn
      ? await listFollowed(tx, ctx, change.appId, { country: change.country })
      : [];
    const rows = await readSides(tx, keywords, sides);
    const touched = new Set(
      words
        ? keywords.filter(({ phrase }) => words.touches(phrase)).map((keyword) => keyword.id)
        : [],
    );
    const affected = summariseGroup(rows.filter((row) => touched.has(row.keywordId)));
    const control = summariseGroup(rows.filter((row) => !touched.has(row.keywordId)));
    const reason = !isOwn
      ? 'not_own'
      : words === null
        ? 'no_words'
        : sides.after === null
          ? 'too_early'
          : null;
    return {
      change: presentChange(change),
      windowDays,
      ...sides,
      words: {
        gained: words?.gained.slice(0, maxWords) ?? [],
        lost: words?.lost.slice(0, maxWords) ?? [],
      },
      affected: affected.group,
      control: control.group,
      ...(reason === null
        ? compareGroups(affected.gains, control.gains)
        : { difference: null, interval: null, reason }),
      otherChanges: await countOthers(tx, ctx, change, sides),
      method,
    };
  });
}

type Span = { from: UtcDay; to: UtcDay };
type SidesOfChange = { before: Span; after: Span | null; complete: boolean };

function sidesOf(change: ChangeRow, windowDays: number, today: UtcDay): SidesOfChange {
  const [previousOn, detectedOn] = [utcDayOf(change.previousAt), utcDayOf(change.detectedAt)];
  const last = addDays(detectedOn, windowDays);
  return {
    before: { from: addDays(previousOn, -windowDays), to: addDays(previousOn, -1) },
    after: detectedOn < today ? { from: addDays(detectedOn, 1), to: minDay(last, today) } : null,
    complete: last < today,
  };
}

async function readSides(
  tx: Tx,
  keywords: readonly Followed[],
  { before, after }: SidesOfChange,
): Promise<Sides[]> {
  const whole = windowOf(before.from, after?.to ?? before.to);
  const rows = (await loadVisibleRows(tx, whole, keywords)).map((row) =>
    keepProviderOf(row, whole.days.length - 1),
  );
  const cut = (row: VisibleRow, from: UtcDay, to: UtcDay) => {
    const [first, last] = [daysBetween(whole.days[0]!, from), daysBetween(whole.days[0]!, to)];
    const part = (bytes: Uint8Array) => bytes.subarray(first, last + 1);
    return { dailyRanks: part(row.dailyRanks), depths: part(row.depths) };
  };
  const nothing = { dailyRanks: new Uint8Array(), depths: new Uint8Array() };
  return keywords.map(({ id }, index) => ({
    keywordId: id,
    before: cut(rows[index]!, before.from, before.to),
    after: after === null ? nothing : cut(rows[index]!, after.from, after.to),
  }));
}

/**
 * Other changes of the same listing and country within the two windows, fields of the same snapshot
 * included.
 */
async function countOthers(
  tx: Tx,
  ctx: Ctx,
  change: ChangeRow,
  { before, after }: SidesOfChange,
): Promise<number> {
  const until = new Date(startOfDayMs(addDays(after?.to ?? utcDayOf(change.detectedAt), 1)));
  const scope = change.competitorId === null ? 'own' : 'competitors';
  const filter = {
    appId: change.appId,
    scope,
    country: change.country,
    from: new Date(startOfDayMs(before.from)),
    until,
  } as const;
  const { listingId, storeAppId } = change;
  const own = await countChanges(tx, ctx.workspaceId, { ...filter, listingId });
  const days = { from: before.from, to: addDays(utcDayOf(until), -1) };
  const imported = await listImportedChanges(tx, ctx, { ...filter, ...days });
  const others = imported.filter(({ listing }) => listing.storeAppId === storeAppId);
  return Math.max(0, own + others.length - 1);
}
