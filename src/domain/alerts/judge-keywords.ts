import type { Tx } from '../../db/database.ts';
import { listAlertKeywords, listDegradedDays, type AlertKeywordRow } from '../../db/queries/alerts.ts';
import { listSerpListings } from '../../db/queries/serps.ts';
import { listKeptHistory } from '../../db/queries/serp-history.ts';
import { addDays, daysBetween, type UtcDay } from '../../lib/dates.ts';
import type { StoreName } from '../ports.ts';
import { notChecked } from '../rankings/cells.ts';
import { readVisibleRows } from '../rankings/read-visible.ts';
import { readTerms, termDepthOn, type Term } from '../rankings/terms.ts';
import type { VisibleRow } from '../rankings/visible.ts';
import { windowOf, type DayWindow } from '../rankings/window.ts';
import { findEntrants, type DayPlaces, type Entrant } from '../serps/find-entrants.ts';
import { toKeptPlaces } from '../serps/kept-places.ts';
import type { Alert, AlertOf } from './alert.ts';
import { findRankMove, rankReachDays, type RankRule } from './find-rank-move.ts';
import { findRule, type AlertRule, type RuleOf } from './rules.ts';

export interface AlertKeyword extends Omit<AlertKeywordRow, 'terms' | 'traffic' | 'observedOn'> {
  terms: readonly Term[];
  traffic: number | null;
}

interface Range {
  from: UtcDay;
  to: UtcDay;
}

/** Days before the range in which the seven checked ones of an entrant are looked for. */
const entrantReachDays = 14;
/** Market-days held in memory at a time. */
const maxMarketDays = 50_000;

/** A workspace's followed keywords, all of them or those in some markets; a score counts only as far as it may be seen. */
export async function readAlertKeywords(tx: Tx, workspaceId: number, marketIds: number[] | null): Promise<AlertKeyword[]> {
  const rows = await listAlertKeywords(tx, workspaceId, marketIds);
  return rows.map(({ terms: stored, observedOn, ...row }) => {
    const terms = readTerms(stored);
    const isVisible = observedOn !== null && termDepthOn(terms, observedOn);
    return { ...row, terms, traffic: isVisible ? row.traffic : null };
  });
}

/**
 * What the rules want told of keywords on the days of the range: moves of the apps' own places, and who came into the
 * markets. `keywords` are all of the workspace's in their markets. Days on which a store failed its known search are as
 * if nothing had been checked. Bounded by what it is asked: at most a quarter of a year.
 */
export async function judgeKeywords(
  tx: Tx,
  workspaceId: number,
  input: Range & { keywords: readonly AlertKeyword[]; rules: readonly AlertRule[] },
): Promise<Alert[]> {
  const reach = { from: addDays(input.from, -rankReachDays), to: input.to };
  const degraded = new Set((await listDegradedDays(tx, reach)).map(({ store, date }) => `${store} ${date}`));
  const isHeld = (store: StoreName, date: UtcDay) => degraded.has(`${store} ${date}`);
  const alerts: Alert[] = [];
  const size = Math.max(1, Math.floor(maxMarketDays / (daysBetween(reach.from, reach.to) + 1)));
  for (let start = 0; start < input.keywords.length; start += size) {
    const part = { ...input, keywords: input.keywords.slice(start, start + size), isHeld };
    alerts.push(...(await judgeMoves(tx, part)), ...(await judgeEntrants(tx, workspaceId, part, input.keywords)));
  }
  return alerts;
}

interface Part extends Range {
  keywords: readonly AlertKeyword[];
  rules: readonly AlertRule[];
  isHeld: (store: StoreName, date: UtcDay) => boolean;
}

async function judgeMoves(tx: Tx, { keywords, rules, from, to, isHeld }: Part): Promise<Alert[]> {
  const window = windowOf(addDays(from, -rankReachDays), to);
  const rows = await readVisibleRows(tx, window, keywords);
  return rows.flatMap((row, number) => {
    const keyword = keywords[number]!;
    for (const [index, day] of window.days.entries()) if (isHeld(keyword.store, day)) row.cells[index] = notChecked;
    return (['rank.dropped', 'rank.improved'] as const).flatMap((event) => {
      const rule = findRule(rules, event, keyword);
      return rule ? movesOf(keyword, row, { window, from, rule }) : [];
    });
  });
}

function movesOf(keyword: AlertKeyword, row: VisibleRow, input: { window: DayWindow; from: UtcDay; rule: RankRule }): Alert[] {
  const { days } = input.window;
  const { id: keywordId, phrase, country, appId } = keyword;
  const alerts: Alert[] = [];
  for (let index = daysBetween(days[0]!, input.from); index < days.length; index += 1) {
    const move = findRankMove(row, days, index, input.rule);
    if (!move) continue;
    alerts.push({
      type: input.rule.event,
      subject: String(keywordId),
      date: days[index]!,
      appId,
      data: { keywordId, phrase, country, ...move },
      links: { keyword: `/keywords/${keywordId}`, rankings: `/keywords/${keywordId}/rankings` },
      cooldownDays: input.rule.cooldownDays,
    });
  }
  return alerts;
}

interface Entry {
  keyword: AlertKeyword;
  entrant: Entrant;
  depth: number;
  rule: RuleOf<'serp.entrant'>;
}

/** Who came into a market is one fact, whoever of the workspace's apps looks: the first keyword that wants it told tells it. */
async function judgeEntrants(tx: Tx, workspaceId: number, part: Part, all: readonly AlertKeyword[]): Promise<Alert[]> {
  const wanted = part.keywords.flatMap((keyword) => {
    const rule = findRule(part.rules, 'serp.entrant', keyword);
    return rule ? [{ keyword, rule }] : [];
  });
  if (wanted.length === 0) return [];
  const own = new Set(all.map((keyword) => `${keyword.marketId} ${keyword.listingId}`));
  const marketIds = [...new Set(wanted.map(({ keyword }) => keyword.marketId))];
  const history = await listKeptHistory(tx, { marketIds, from: addDays(part.from, -entrantReachDays), to: part.to });
  const ofMarket = Map.groupBy(history, (row) => row.marketId);
  const entries = wanted.flatMap(({ keyword, rule }): Entry[] => {
    const days = (ofMarket.get(keyword.marketId) ?? []).flatMap((row): (DayPlaces & { depth: number })[] => {
      const places = part.isHeld(keyword.store, row.date) ? null : toKeptPlaces(row, keyword.terms);
      return places ? [{ date: row.date, depth: Math.min(row.depth, termDepthOn(keyword.terms, row.date)!), ...places }] : [];
    });
    const depths = new Map(days.map((day) => [day.date, day.depth]));
    return findEntrants(days, { from: part.from, top: rule.top })
      .filter((entrant) => entrant.comparedDays >= rule.minDays && !own.has(`${keyword.marketId} ${entrant.listingId}`))
      .map((entrant) => ({ keyword, entrant, depth: depths.get(entrant.date)!, rule }));
  });
  return tellEntries(tx, workspaceId, entries);
}

async function tellEntries(tx: Tx, workspaceId: number, entries: readonly Entry[]): Promise<Alert[]> {
  const alerts: Alert[] = [];
  for (const [appId, ofApp] of Map.groupBy(entries, ({ keyword }) => keyword.appId)) {
    const ids = [...new Set(ofApp.map(({ entrant }) => entrant.listingId))];
    const listings = new Map((await listSerpListings(tx, workspaceId, appId, ids)).map((listing) => [listing.id, listing]));
    for (const { keyword, entrant, depth, rule } of ofApp) {
      const { storeAppId, name, developer, competitorId } = listings.get(entrant.listingId)!;
      const { id: keywordId, phrase, country, store, marketId } = keyword;
      const alert: AlertOf<'serp.entrant'> = {
        type: 'serp.entrant',
        subject: `${marketId}:${entrant.listingId}`,
        date: entrant.date,
        appId,
        data: {
          keywordId,
          phrase,
          country,
          date: entrant.date,
          position: entrant.position,
          depth,
          entrant: { store, storeAppId, name, developer },
          competitorId,
          daysWithout: entrant.comparedDays,
        },
        links: { keyword: `/keywords/${keywordId}`, serp: `/keywords/${keywordId}/serp?date=${entrant.date}` },
        cooldownDays: rule.cooldownDays,
      };
      alerts.push(alert);
    }
  }
  return alerts;
}
