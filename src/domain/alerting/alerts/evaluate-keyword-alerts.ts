import { readAhead, readTogether, type Tx } from '#db/database.ts';
import {
  listAlertKeywords,
  listDegradedDays,
  type AlertKeywordRow,
} from '#db/queries/alerts/alerts.ts';
import { chunk } from '#lib/chunk.ts';
import { addDays, daysBetween, type UtcDay } from '#lib/dates.ts';
import type { StoreName } from '#domain/base/ports.ts';
import { notChecked } from '#domain/tracking/rankings/daily-rank-codec.ts';
import { loadOwnRows } from '#domain/tracking/rankings/load-visible-rows.ts';
import {
  parseTrackingPeriods,
  trackedDepthOn,
  type TrackingPeriod,
} from '#domain/tracking/rankings/tracking-periods.ts';
import type { VisibleRow } from '#domain/tracking/rankings/visible-rows.ts';
import { windowOf, type DayWindow } from '#domain/base/day-window.ts';
import type { Alert } from './alert.ts';
import { countChecks, type DayChecks } from './count-checks.ts';
import { findRankMove, rankLookbackDays, type RankRule } from './find-rank-move.ts';
import {
  matchEntrants,
  readEntrantHistory,
  toEntrantAlerts,
  type EntrantMatch,
  type IsOwnListing,
} from './evaluate-entrant-alerts.ts';
import { findRule, type ResolvedRule } from './rules.ts';

export interface AlertKeyword extends Omit<
  AlertKeywordRow,
  'trackingPeriods' | 'traffic' | 'observedOn'
> {
  trackingPeriods: readonly TrackingPeriod[];
  traffic: number | null;
}

interface Range {
  from: UtcDay;
  to: UtcDay;
}

/** Some of the keywords, on the days of a range. */
export interface EvaluationBatch extends Range {
  keywords: readonly AlertKeyword[];
  /** By workspace. */
  rules: ReadonlyMap<number, readonly ResolvedRule[]>;
  /** Days that count as unchecked. */
  heldDays: ReadonlyMap<StoreName, ReadonlySet<UtcDay>>;
  /** Also counts the checked days, because they are loaded here anyway. */
  tally?: ReadonlyMap<UtcDay, DayChecks>;
}

/** Market-days held in memory at a time. */
const maxMarketDays = 20_000;

/** A workspace's tracked keywords; scores only as far as they are visible. */
export async function readAlertKeywords(tx: Tx, workspaceId: number): Promise<AlertKeyword[]> {
  return toAlertKeywords(await listAlertKeywords(tx, workspaceId));
}

export function toAlertKeywords(rows: readonly AlertKeywordRow[]): AlertKeyword[] {
  return rows.map(({ trackingPeriods: stored, observedOn, ...row }) => {
    const trackingPeriods = parseTrackingPeriods(stored);
    const isVisible = observedOn !== null && trackedDepthOn(trackingPeriods, observedOn);
    return { ...row, trackingPeriods, traffic: isVisible ? row.traffic : null };
  });
}

/**
 * Evaluates rules for keywords on the days of the range: moves of the apps' own positions, and
 * entrants of the markets. `keywords` are all of each workspace's in their markets. Days on which a
 * store's probe failed count as unchecked. The range is at most a quarter of a year.
 */
export async function evaluateKeywordAlerts(
  tx: Tx,
  input: Range & Pick<EvaluationBatch, 'keywords' | 'rules' | 'tally'>,
): Promise<Alert[]> {
  const reach = { from: addDays(input.from, -rankLookbackDays), to: input.to };
  const degraded = Map.groupBy(await listDegradedDays(tx, reach), ({ store }) => store);
  const heldDays = new Map(
    [...degraded].map(([store, days]) => [store, new Set(days.map(({ date }) => date))]),
  );
  const isOwn = createOwnListings(input.keywords);
  const alerts: Alert[] = [];
  const size = Math.max(1, Math.floor(maxMarketDays / (daysBetween(reach.from, reach.to) + 1)));
  const window = windowOf(reach.from, reach.to);
  const parts = chunk(input.keywords, size).map((keywords) => ({ ...input, keywords, heldDays }));
  const read = (part: EvaluationBatch) =>
    readTogether(
      tx,
      () => loadOwnRows(tx, window, part.keywords),
      () => readEntrantHistory(tx, part),
    );
  const entrants: EntrantMatch[] = [];
  for await (const { part, result } of readAhead(parts, read)) {
    const [rows, history] = result;
    alerts.push(...evaluateMoves(part, window, rows));
    entrants.push(...matchEntrants(part, history, isOwn));
  }
  return [...alerts, ...(await toEntrantAlerts(tx, entrants))];
}

/** True for a listing that the workspace tracks in the market. */
function createOwnListings(keywords: readonly AlertKeyword[]): IsOwnListing {
  const nameOf = ({ workspaceId, marketId }: AlertKeyword, listingId: number) =>
    `${workspaceId} ${marketId} ${listingId}`;
  let own: Set<string> | undefined;
  return (keyword, listingId) => {
    own ??= new Set(keywords.map((one) => nameOf(one, one.listingId)));
    return own.has(nameOf(keyword, listingId));
  };
}

function evaluateMoves(
  { keywords, rules, from, heldDays, tally }: EvaluationBatch,
  window: DayWindow,
  rows: readonly VisibleRow[],
): Alert[] {
  const tallied = tally && window.days.map((day) => tally.get(day));
  const start = daysBetween(window.days[0]!, from);
  return rows.flatMap((row, number) => {
    const keyword = keywords[number]!;
    for (const day of heldDays.get(keyword.store) ?? [])
      row.dailyRanks[daysBetween(window.days[0]!, day)] = notChecked;
    if (tallied) countChecks(tallied, row);
    return (['rank.dropped', 'rank.improved'] as const).flatMap((event) => {
      const rule = findRule(rules.get(keyword.workspaceId) ?? [], event, keyword);
      return rule ? movesOf(keyword, row, { window, start, rule }) : [];
    });
  });
}

function movesOf(
  keyword: AlertKeyword,
  row: VisibleRow,
  input: { window: DayWindow; start: number; rule: RankRule },
): Alert[] {
  const { days } = input.window;
  const { id: keywordId, phrase, country, device, appId } = keyword;
  const alerts: Alert[] = [];
  for (let index = input.start; index < days.length; index += 1) {
    const move = findRankMove(row, days, index, input.rule);
    if (!move) continue;
    alerts.push({
      type: input.rule.event,
      subject: String(keywordId),
      date: days[index]!,
      appId,
      data: { keywordId, phrase, country, device, ...move },
      links: { keyword: `/keywords/${keywordId}`, rankings: `/keywords/${keywordId}/rankings` },
      cooldownDays: input.rule.cooldownDays,
    });
  }
  return alerts;
}
