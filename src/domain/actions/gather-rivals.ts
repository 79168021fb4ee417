import type { ChangedField } from '../../contract/changes.ts';
import type { Tx } from '../../db/database.ts';
import { listChanges } from '../../db/queries/changes.ts';
import { listCompetitors } from '../../db/queries/competitors.ts';
import { listKeptHistory } from '../../db/queries/serp-history.ts';
import { addDays, startOfDayMs, utcDayOf, type UtcDay } from '../../lib/dates.ts';
import { ownPlace } from '../competitors/list-competitors.ts';
import { nameOf, toRival } from '../competitors/present-competitor.ts';
import { readRivalPlaces } from '../competitors/read-rival-places.ts';
import type { Rival } from '../competitors/rival-places.ts';
import { judge } from '../competitors/verdict.ts';
import type { Ctx } from '../context.ts';
import { findEntrants, type DayPlaces } from '../serps/find-entrants.ts';
import { standingSpots, type JudgedKeyword } from '../serps/judged-keywords.ts';
import { toKeptPlaces } from '../serps/kept-places.ts';
import type { AppFacts, EntrantFacts, GapFacts, RivalChangeFacts } from './facts.ts';
import type { GatheredKeyword } from './gather-keywords.ts';
import { isImportant } from './rules/competitor-entered.ts';
import { thresholds } from './thresholds.ts';

interface NamedRival extends Rival {
  name: string;
}

type Reader = Pick<Ctx, 'workspaceId' | 'clock'>;

/** Keywords whose kept results are gone through: those with the most traffic first. */
const mostSearched = 300;
/** Days before the window in which the seven checked ones are looked for. */
const reachDays = 14;
const mostChanges = 200;
const shownFields: ChangedField[] = [
  'name',
  'subtitle',
  'summary',
  'iconUrl',
  'screenshotUrls',
  'price',
  'category',
];

/** What competitors do on the app's keywords and with their listings. Six statements at most, one where there is no competitor. */
export async function gatherRivals(
  tx: Tx,
  ctx: Reader,
  appId: number,
  keywords: readonly GatheredKeyword[],
): Promise<Pick<AppFacts, 'entrants' | 'gaps' | 'rivalChanges'>> {
  const rows = await listCompetitors(tx, ctx.workspaceId, appId);
  if (rows.length === 0) return { entrants: [], gaps: [], rivalChanges: [] };
  const rivals = rows.map((row): NamedRival => ({ ...toRival(row), name: nameOf(row) }));
  return {
    entrants: await gatherEntrants(tx, ctx, keywords, rivals),
    gaps: await gatherGaps(
      tx,
      ctx,
      keywords.map(({ judged }) => judged),
      rivals,
    ),
    rivalChanges: await gatherChanges(tx, ctx, appId, rivals),
  };
}

async function gatherEntrants(
  tx: Tx,
  ctx: Reader,
  keywords: readonly GatheredKeyword[],
  rivals: readonly NamedRival[],
): Promise<EntrantFacts[]> {
  const today = utcDayOf(ctx.clock.now());
  const from = addDays(today, 1 - thresholds['competitor-entered'].withinDays);
  const important = keywords
    .filter(({ facts }) => isImportant(facts))
    .toSorted(
      (a, b) => (b.facts.traffic ?? -1) - (a.facts.traffic ?? -1) || a.facts.id - b.facts.id,
    )
    .slice(0, mostSearched);
  if (important.length === 0) return [];
  const marketIds = important.map(({ judged }) => judged.marketId);
  const ofMarket = Map.groupBy(
    await listKeptHistory(tx, { marketIds, from: addDays(from, -reachDays), to: today }),
    (row) => row.marketId,
  );
  return important.flatMap(({ judged }) => {
    const days = (ofMarket.get(judged.marketId) ?? []).flatMap((row): DayPlaces[] => {
      const places = toKeptPlaces(row, judged.terms);
      return places ? [{ date: row.date, ...places }] : [];
    });
    return listStandingEntrants(judged.id, days, from, rivals);
  });
}

/** Rivals that came in since `from` and stand in the first places of the newest day still, each with its last coming. */
function listStandingEntrants(
  keywordId: number,
  days: readonly DayPlaces[],
  from: UtcDay,
  rivals: readonly NamedRival[],
): EntrantFacts[] {
  const { top } = thresholds['competitor-entered'];
  const newest = days.at(-1);
  if (!newest) return [];
  const entries = findEntrants(days, { from, top });
  return rivals.flatMap(({ id, listingId, name }) => {
    const index = newest.listingIds.slice(0, top).indexOf(listingId);
    const entry = entries.findLast((candidate) => candidate.listingId === listingId);
    return index < 0 || !entry
      ? []
      : [
          {
            keywordId,
            competitorId: id,
            name,
            enteredOn: entry.date,
            position: index + 1,
            date: newest.date,
          },
        ];
  });
}

async function gatherGaps(
  tx: Tx,
  ctx: Reader,
  keywords: readonly JudgedKeyword[],
  rivals: readonly NamedRival[],
): Promise<GapFacts[]> {
  const spots = standingSpots(keywords, ctx.clock.now()).filter(
    ({ keyword }) => keyword.latestPosition === null,
  );
  const places = await readRivalPlaces(tx, spots, rivals);
  return spots.flatMap((spot, number) =>
    rivals.flatMap((rival): GapFacts[] => {
      const place = places.find(number, rival);
      if (place === null || place.position === null || judge(ownPlace(spot), place) !== 'pure')
        return [];
      return [
        {
          keywordId: spot.keyword.id,
          competitorId: rival.id,
          name: rival.name,
          position: place.position,
          date: spot.date,
        },
      ];
    }),
  );
}

async function gatherChanges(
  tx: Tx,
  ctx: Reader,
  appId: number,
  rivals: readonly NamedRival[],
): Promise<RivalChangeFacts[]> {
  const from = new Date(
    startOfDayMs(
      addDays(utcDayOf(ctx.clock.now()), 1 - thresholds['competitor-changed'].withinDays),
    ),
  );
  const names = new Map(rivals.map((rival) => [rival.id, rival.name]));
  const filter = { appId, scope: 'competitors' as const, fields: shownFields, from };
  const rows = await listChanges(tx, ctx.workspaceId, filter, { after: null, limit: mostChanges });
  return rows.flatMap(({ competitorId, country, field, before, after, detectedAt }) => {
    const name = competitorId === null ? undefined : names.get(competitorId);
    return competitorId === null || name === undefined
      ? []
      : [{ competitorId, name, country, field, before, after, detectedOn: utcDayOf(detectedAt) }];
  });
}
