import type { Tx } from '#db/database.ts';
import { listSerpListings } from '#db/queries/serps/serps.ts';
import { listStoredHistory, type StoredRow } from '#db/queries/serps/serp-history.ts';
import { addDays, type UtcDay } from '#lib/dates.ts';
import { trackedDepthOn } from '#domain/tracking/rankings/tracking-periods.ts';
import { findEntrants, lookbackDays, type Entrant } from '#domain/tracking/serps/find-entrants.ts';
import { toDayPositions } from '#domain/tracking/serps/stored-positions.ts';
import type { Alert, AlertOf } from './alert.ts';
import type { AlertKeyword, EvaluationBatch } from './evaluate-keyword-alerts.ts';
import { findRule, type RuleOf } from './rules.ts';

export interface EntrantMatch {
  keyword: AlertKeyword;
  entrant: Entrant;
  depth: number;
  rule: RuleOf<'serp.entrant'>;
}

export type IsOwnListing = (keyword: AlertKeyword, listingId: number) => boolean;

/** The stored results that the rules of some keywords need, by market. */
export async function readEntrantHistory(
  tx: Tx,
  part: EvaluationBatch,
): Promise<Map<number, StoredRow[]>> {
  const ruled = listRuled(part);
  if (ruled.length === 0) return new Map();
  return listStoredHistory(tx, {
    marketIds: [...new Set(ruled.map(({ keyword }) => keyword.marketId))],
    from: addDays(part.from, -lookbackDays),
    to: part.to,
  });
}

const listRuled = ({ keywords, rules }: EvaluationBatch) =>
  keywords.flatMap((keyword) => {
    const rule = findRule(rules.get(keyword.workspaceId) ?? [], 'serp.entrant', keyword);
    return rule ? [{ keyword, rule }] : [];
  });

/** The entrants that match a rule. */
export function matchEntrants(
  part: EvaluationBatch,
  history: ReadonlyMap<number, StoredRow[]>,
  isOwn: IsOwnListing,
): EntrantMatch[] {
  return listRuled(part).flatMap(({ keyword, rule }) => {
    const stored = history.get(keyword.marketId) ?? [];
    const held = part.heldDays.get(keyword.store);
    const rows = held ? stored.filter(({ date }) => !held.has(date)) : stored;
    const days = toDayPositions(rows, keyword.trackingPeriods);
    const depthOn = (date: UtcDay) =>
      Math.min(
        rows.find((row) => row.date === date)!.depth,
        trackedDepthOn(keyword.trackingPeriods, date)!,
      );
    return findEntrants(days, { from: part.from, top: rule.top })
      .filter(
        (entrant) => entrant.comparedDays >= rule.minDays && !isOwn(keyword, entrant.listingId),
      )
      .map((entrant) => ({ keyword, entrant, depth: depthOn(entrant.date), rule }));
  });
}

/**
 * An entrant of a market is one fact for all apps of the workspace. The first keyword with a
 * matching rule reports it.
 */
export async function toEntrantAlerts(tx: Tx, matches: readonly EntrantMatch[]): Promise<Alert[]> {
  const alerts: Alert[] = [];
  const groups = Map.groupBy(matches, ({ keyword }) => `${keyword.appId} ${keyword.country}`);
  for (const ofApp of groups.values()) {
    const { workspaceId, appId, country: ofCountry } = ofApp[0]!.keyword;
    const ids = [...new Set(ofApp.map(({ entrant }) => entrant.listingId))];
    const of = { appId, countries: [ofCountry] };
    const listings = new Map(
      (await listSerpListings(tx, workspaceId, of, ids)).map((listing) => [listing.id, listing]),
    );
    for (const { keyword, entrant, depth, rule } of ofApp) {
      const { storeAppId, name, developer, competitorId } = listings.get(entrant.listingId)!;
      const { id: keywordId, phrase, country, device, store, marketId } = keyword;
      const alert: AlertOf<'serp.entrant'> = {
        type: 'serp.entrant',
        subject: `${marketId}:${entrant.listingId}`,
        date: entrant.date,
        appId,
        data: {
          keywordId,
          phrase,
          country,
          device,
          date: entrant.date,
          position: entrant.position,
          depth,
          entrant: { store, storeAppId, name, developer },
          competitorId,
          daysAbsent: entrant.comparedDays,
        },
        links: {
          keyword: `/keywords/${keywordId}`,
          serp: `/keywords/${keywordId}/serp?date=${entrant.date}`,
        },
        cooldownDays: rule.cooldownDays,
      };
      alerts.push(alert);
    }
  }
  return alerts;
}
