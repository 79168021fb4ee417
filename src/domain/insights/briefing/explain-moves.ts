import type { Tx } from '#db/database.ts';
import { listChangeRows } from '#db/queries/changes/changes.ts';
import { listFieldVersions } from '#db/queries/keyword-field/keyword-field.ts';
import type { FollowedApp } from '#db/queries/rankings/rank-months.ts';
import { addDays, maxDay, minDay, startOfDayMs, utcDayOf, type UtcDay } from '#lib/dates.ts';
import type { Ctx } from '#domain/base/context.ts';
import { profileOf } from '#domain/base/ports.ts';
import { loadWordLocator } from '#domain/tracking/listings/locate-words.ts';
import {
  loadStoredPositions,
  type StoredPositions,
} from '#domain/tracking/serps/stored-positions.ts';
import { countriesOf } from '#domain/tracking/serps/live-keywords.ts';
import { readListings } from '#domain/tracking/serps/stored-serp.ts';
import type { KeywordMove } from './choose-movers.ts';
import { findCause, type FoundCause } from './find-cause.ts';
import type { Briefing } from './get-briefing.ts';
import { isReranked, measureShift, shiftedShare, type MarketShift } from './result-shift.ts';
import { listSearchedFields, toFieldChange, toTextChange, type TextChange } from './text-change.ts';

type Mover = Briefing['movers'][number];

/** A store may show a change this many days later. */
const delayDays = 3;
const changesPerPage = 500;
const maxChangePages = 10;
const maxFieldVersions = 50;
/** The markets of a country and device that show whether the store moved many apps. */
const sampledMarkets = 30;
const shownApps = 5;

interface Results {
  before: StoredPositions | null;
  after: StoredPositions | null;
}

/** Moves with their likely causes, from stored results, listing changes and keyword fields. */
export async function explainMoves(
  tx: Tx,
  ctx: Ctx,
  app: FollowedApp,
  {
    shown,
    all,
    days,
  }: { shown: readonly KeywordMove[]; all: readonly KeywordMove[]; days: number },
): Promise<Mover[]> {
  if (shown.length === 0) return [];
  const changes = await loadTextChanges(tx, ctx, app, shown);
  const reranked = await findReranked(tx, shown, all, days);
  const results = await loadResults(tx, shown);
  const found = shown.map((move, index): FoundCause | null => {
    const { before, after } = results[index]!;
    const { phrase, country } = move.keyword;
    const earliest = addDays(move.from.date, -delayDays);
    const between = changes.filter(
      ({ detectedOn }) => detectedOn >= earliest && detectedOn <= addDays(move.to.date, 1),
    );
    const shift = before && after && measureShift(before, after);
    return findCause(
      { phrase, country, listingId: app.listingId, from: move.from, to: move.to, before, after },
      {
        changes: between,
        isReranked: reranked.has(storefrontOf(move)) && (shift === null || shift >= shiftedShare),
      },
    );
  });
  const ids = found.flatMap((cause) => cause?.passers.map(({ listingId }) => listingId) ?? []);
  const listings = await readListings(tx, ctx, ids, {
    appId: app.id,
    countries: countriesOf(shown.map(({ keyword }) => keyword)),
  });
  const markets = shown.map(({ keyword }) => ({ appId: app.id, country: keyword.country }));
  const locate = await loadWordLocator(tx, ctx, markets);
  const toCauseApp = ({ listingId, from, to }: FoundCause['passers'][number]) => {
    const { storeAppId, name, iconUrl, competitorId } = listings.get(listingId)!;
    return { storeAppId, name, iconUrl, competitorId, from, to };
  };
  return shown.map(({ keyword, from, to, change }, index) => {
    const cause = found[index] ?? null;
    const { before, after } = results[index]!;
    return {
      keywordId: keyword.id,
      phrase: keyword.phrase,
      words: locate({ appId: app.id, ...keyword }),
      country: keyword.country,
      device: keyword.device,
      traffic: keyword.traffic,
      from,
      to,
      change,
      cause: cause && {
        kind: cause.kind,
        explained: cause.explained,
        apps: cause.passers.slice(0, shownApps).map(toCauseApp),
        changes: cause.changes
          .flatMap(({ change: row, detectedOn }) => (row ? [{ ...row, detectedOn }] : []))
          .slice(0, shownApps),
        fieldSavedOn: cause.changes.find(({ change: row }) => row === null)?.detectedOn ?? null,
        words: cause.words.slice(0, 20),
      },
      hasResults: before !== null && after !== null,
    };
  });
}

/** The changes of searched texts, of the app and its competitors, around the moves. */
async function loadTextChanges(
  tx: Tx,
  ctx: Ctx,
  app: FollowedApp,
  moves: readonly KeywordMove[],
): Promise<TextChange[]> {
  const from = addDays(moves.map((move) => move.from.date).reduce(minDay), -delayDays);
  const to = moves.map((move) => move.to.date).reduce(maxDay);
  const filter = {
    appId: app.id,
    fields: listSearchedFields(app.store),
    countries: countriesOf(moves.map(({ keyword }) => keyword)),
    from: new Date(startOfDayMs(from)),
    until: new Date(startOfDayMs(addDays(to, 2))),
  };
  const changes: TextChange[] = [];
  let after: { at: Date; id: number } | null = null;
  for (let page = 0; page < maxChangePages; page += 1) {
    const rows = await listChangeRows(tx, ctx.workspaceId, filter, {
      after,
      limit: changesPerPage,
    });
    changes.push(...rows.map(toTextChange));
    const last = rows.at(-1);
    if (last === undefined || rows.length < changesPerPage) break;
    after = { at: last.detectedAt, id: last.id };
  }
  return [...changes, ...(await loadFieldChanges(tx, ctx, app, { from, to }))];
}

async function loadFieldChanges(
  tx: Tx,
  ctx: Ctx,
  app: FollowedApp,
  { from, to }: { from: UtcDay; to: UtcDay },
): Promise<TextChange[]> {
  if (profileOf(app.store).texts.keywordField === null) return [];
  const newest = { appId: app.id, locale: null, beforeId: 2_147_483_647, limit: maxFieldVersions };
  const { rows } = await listFieldVersions(tx, ctx.workspaceId, newest);
  return rows
    .filter(({ savedAt }) => utcDayOf(savedAt) >= from && utcDayOf(savedAt) <= to)
    .map((version) => toFieldChange(app.listingId, version));
}

/** The stored results of both days, in the order of the moves. One statement. */
async function loadResults(tx: Tx, moves: readonly KeywordMove[]): Promise<Results[]> {
  const spots = moves.flatMap(({ keyword, from, to }) => [
    { keyword, date: from.date },
    { keyword, date: to.date },
  ]);
  const stored = await loadStoredPositions(tx, spots);
  return moves.map((_, index) => ({
    before: stored[2 * index] ?? null,
    after: stored[2 * index + 1] ?? null,
  }));
}

const storefrontOf = ({ keyword }: KeywordMove): string => `${keyword.country} ${keyword.device}`;

/** The countries and devices of the moves in which the store moved many apps. */
async function findReranked(
  tx: Tx,
  shown: readonly KeywordMove[],
  all: readonly KeywordMove[],
  days: number,
): Promise<Set<string>> {
  const storefronts = new Set(shown.map(storefrontOf));
  const ofStorefront = Map.groupBy(
    all.filter((move) => storefronts.has(storefrontOf(move))),
    storefrontOf,
  );
  const sample = [...ofStorefront.values()].flatMap((moves) => pickEvenly(moves, sampledMarkets));
  const stored = await loadStoredPositions(
    tx,
    sample.flatMap(({ keyword, from, to }) => [
      { keyword, date: addDays(from.date, -days) },
      { keyword, date: from.date },
      { keyword, date: to.date },
    ]),
  );
  const shifts = sample.flatMap((move, index): (MarketShift & { storefront: string })[] => {
    const [earlier, before, after] = stored.slice(3 * index, 3 * index + 3);
    const shift = before && after ? measureShift(before, after) : null;
    const usual = earlier && before ? measureShift(earlier, before) : null;
    return shift === null ? [] : [{ storefront: storefrontOf(move), shift, usual }];
  });
  return new Set(
    [...Map.groupBy(shifts, ({ storefront }) => storefront)]
      .filter(([, ofThis]) => isReranked(ofThis))
      .map(([storefront]) => storefront),
  );
}

function pickEvenly<T>(items: readonly T[], count: number): T[] {
  const step = Math.max(1, items.length / count);
  return Array.from(
    { length: Math.min(count, items.length) },
    (_, at) => items[Math.floor(at * step)]!,
  );
}
