import type { ChangedField } from '#contract/changes.ts';
import type { Tx } from '#db/database.ts';
import { listChangeRows, type ChangeRow } from '#db/queries/changes/changes.ts';
import { listCompetitors } from '#db/queries/competitors/competitors.ts';
import { listStoredHistory } from '#db/queries/serps/serp-history.ts';
import { addDays, startOfDayMs, utcDayOf, type UtcDay } from '#lib/dates.ts';
import { ownPosition } from '../competitors/list-competitors.ts';
import { nameOf, toCompetitorRef } from '../competitors/present-competitor.ts';
import { readLatestPositions } from '../competitors/read-competitor-positions.ts';
import type { TrackedCompetitor } from '../competitors/competitor-positions.ts';
import { verdictOf } from '../competitors/verdict.ts';
import type { Ctx } from '#domain/base/context.ts';
import {
  findEntrants,
  lookbackDays,
  type DayPositions,
} from '#domain/tracking/serps/find-entrants.ts';
import { latestSpots, type LiveKeyword } from '#domain/tracking/serps/live-keywords.ts';
import { toDayPositions } from '#domain/tracking/serps/stored-positions.ts';
import type { AppFacts, EntrantFacts, GapFacts, CompetitorChangeFacts } from './facts.ts';
import type { CollectedKeyword } from './collect-keyword-facts.ts';
import { isImportant } from './rules/competitor-entered.ts';
import { maxSearchedForEntrants, thresholds } from './thresholds.ts';

interface NamedCompetitor extends TrackedCompetitor {
  name: string;
}

type Reader = Pick<Ctx, 'workspaceId' | 'clock'>;
type CompetitorFacts = Pick<
  AppFacts,
  'entrants' | 'unsearchedKeywordIds' | 'gaps' | 'competitorChanges' | 'hasUnreadChanges'
>;

/** Lists of screenshots make the rows of a page long; only their lengths are kept. */
const changesPerPage = 1_000;
const maxChangePages = 10;
const shownFields: ChangedField[] = [
  'name',
  'subtitle',
  'summary',
  'iconUrl',
  'screenshotUrls',
  'price',
  'category',
];

/**
 * Facts about competitors on the app's keywords and about their listings. One statement without
 * competitors, otherwise at most six, and one for each further page of changes.
 */
export async function collectCompetitorFacts(
  tx: Tx,
  ctx: Reader,
  appId: number,
  keywords: readonly CollectedKeyword[],
): Promise<CompetitorFacts> {
  const rows = await listCompetitors(tx, ctx.workspaceId, appId);
  if (rows.length === 0)
    return {
      entrants: [],
      unsearchedKeywordIds: [],
      gaps: [],
      competitorChanges: [],
      hasUnreadChanges: false,
    };
  const competitors = rows.map((row): NamedCompetitor => ({
    ...toCompetitorRef(row),
    name: nameOf(row),
  }));
  return {
    ...(await collectEntrants(tx, ctx, keywords, competitors)),
    gaps: await collectGaps(
      tx,
      ctx,
      keywords.map(({ keyword }) => keyword),
      competitors,
    ),
    ...(await collectChanges(tx, ctx, appId, competitors)),
  };
}

async function collectEntrants(
  tx: Tx,
  ctx: Reader,
  keywords: readonly CollectedKeyword[],
  competitors: readonly NamedCompetitor[],
): Promise<Pick<AppFacts, 'entrants' | 'unsearchedKeywordIds'>> {
  const today = utcDayOf(ctx.clock.now());
  const from = addDays(today, 1 - thresholds['competitor-entered'].withinDays);
  const important = keywords
    .filter(({ facts }) => isImportant(facts))
    .toSorted(
      (a, b) => (b.facts.traffic ?? -1) - (a.facts.traffic ?? -1) || a.facts.id - b.facts.id,
    );
  const searched = important.slice(0, maxSearchedForEntrants);
  if (searched.length === 0) return { entrants: [], unsearchedKeywordIds: [] };
  const marketIds = searched.map(({ keyword }) => keyword.marketId);
  const ofMarket = await listStoredHistory(tx, {
    marketIds,
    from: addDays(from, -lookbackDays),
    to: today,
  });
  return {
    entrants: searched.flatMap(({ keyword }) => {
      const days = toDayPositions(ofMarket.get(keyword.marketId), keyword.trackingPeriods);
      return listRemainingEntrants(keyword.id, days, from, competitors);
    }),
    unsearchedKeywordIds: important.slice(maxSearchedForEntrants).map(({ keyword }) => keyword.id),
  };
}

/**
 * Competitors that entered since `from` and are still in the first positions on the newest day,
 * each with its last entry.
 */
function listRemainingEntrants(
  keywordId: number,
  days: readonly DayPositions[],
  from: UtcDay,
  competitors: readonly NamedCompetitor[],
): EntrantFacts[] {
  const { top, fewestCheckedDays } = thresholds['competitor-entered'];
  const newest = days.at(-1);
  if (!newest) return [];
  const entries = findEntrants(days, { from, top }).filter(
    ({ comparedDays }) => comparedDays >= fewestCheckedDays,
  );
  return competitors.flatMap(({ id, listingId, name }) => {
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
            comparedDays: entry.comparedDays,
            position: index + 1,
            date: newest.date,
          },
        ];
  });
}

async function collectGaps(
  tx: Tx,
  ctx: Reader,
  keywords: readonly LiveKeyword[],
  competitors: readonly NamedCompetitor[],
): Promise<GapFacts[]> {
  const spots = latestSpots(keywords, ctx.clock.now()).filter(
    ({ keyword }) => keyword.latestPosition === null,
  );
  const positions = await readLatestPositions(tx, spots, competitors);
  return spots.flatMap((spot, number) =>
    competitors.flatMap((competitor): GapFacts[] => {
      const position = positions.find(number, competitor);
      if (
        position === null ||
        position.position === null ||
        verdictOf(ownPosition(spot), position) !== 'pure'
      )
        return [];
      return [
        {
          keywordId: spot.keyword.id,
          competitorId: competitor.id,
          name: competitor.name,
          position: position.position,
          date: spot.date,
        },
      ];
    }),
  );
}

async function collectChanges(
  tx: Tx,
  ctx: Reader,
  appId: number,
  competitors: readonly NamedCompetitor[],
): Promise<Pick<AppFacts, 'competitorChanges' | 'hasUnreadChanges'>> {
  const from = new Date(
    startOfDayMs(
      addDays(utcDayOf(ctx.clock.now()), 1 - thresholds['competitor-changed'].withinDays),
    ),
  );
  const names = new Map(competitors.map((competitor) => [competitor.id, competitor.name]));
  const filter = { appId, scope: 'competitors' as const, fields: shownFields, from };
  const changes: CompetitorChangeFacts[] = [];
  let last: ChangeRow | undefined;
  for (let page = 0; page < maxChangePages; page += 1) {
    const rows = await listChangeRows(tx, ctx.workspaceId, filter, {
      after: last ? { at: last.detectedAt, id: last.id } : null,
      limit: changesPerPage,
    });
    changes.push(...rows.flatMap((row) => toChangeFacts(row, names)));
    if (rows.length < changesPerPage)
      return { competitorChanges: changes, hasUnreadChanges: false };
    last = rows.at(-1)!;
  }
  // The oldest day may have been read in part.
  const oldest = changes.at(-1)?.detectedOn;
  return {
    competitorChanges: changes.filter(({ detectedOn }) => detectedOn !== oldest),
    hasUnreadChanges: true,
  };
}

function toChangeFacts(
  { competitorId, country, field, before, after, detectedAt }: ChangeRow,
  names: ReadonlyMap<number, string>,
): CompetitorChangeFacts[] {
  const name = competitorId === null ? undefined : names.get(competitorId);
  return competitorId === null || name === undefined
    ? []
    : [
        {
          competitorId,
          name,
          country,
          field,
          before: countItems(before),
          after: countItems(after),
          detectedOn: utcDayOf(detectedAt),
        },
      ];
}

/** Lists are in GET /changes. */
const countItems = (value: unknown): unknown =>
  Array.isArray(value) ? { items: value.length } : value;
