import type { Tx } from '../../db/database.ts';
import { listSerpListings } from '../../db/queries/serps.ts';
import { listKeptHistory } from '../../db/queries/serp-history.ts';
import { addDays } from '../../lib/dates.ts';
import { termDepthOn } from '../rankings/terms.ts';
import { findEntrants, type DayPlaces, type Entrant } from '../serps/find-entrants.ts';
import { toKeptPlaces } from '../serps/kept-places.ts';
import type { Alert, AlertOf } from './alert.ts';
import type { AlertKeyword, JudgedPart } from './judge-keywords.ts';
import { findRule, type RuleOf } from './rules.ts';

/** Days before the range in which the seven checked ones are looked for. */
const entrantReachDays = 14;

interface Entry {
  keyword: AlertKeyword;
  entrant: Entrant;
  depth: number;
  rule: RuleOf<'serp.entrant'>;
}

/** Who came into a market is one fact, whoever of the workspace's apps looks: the first keyword that wants it told tells it. */
export async function judgeEntrants(
  tx: Tx,
  workspaceId: number,
  part: JudgedPart,
  all: readonly AlertKeyword[],
): Promise<Alert[]> {
  const wanted = part.keywords.flatMap((keyword) => {
    const rule = findRule(part.rules, 'serp.entrant', keyword);
    return rule ? [{ keyword, rule }] : [];
  });
  if (wanted.length === 0) return [];
  const own = new Set(all.map((keyword) => `${keyword.marketId} ${keyword.listingId}`));
  const marketIds = [...new Set(wanted.map(({ keyword }) => keyword.marketId))];
  const history = await listKeptHistory(tx, {
    marketIds,
    from: addDays(part.from, -entrantReachDays),
    to: part.to,
  });
  const ofMarket = Map.groupBy(history, (row) => row.marketId);
  const entries = wanted.flatMap(({ keyword, rule }): Entry[] => {
    const days = (ofMarket.get(keyword.marketId) ?? []).flatMap(
      (row): (DayPlaces & { depth: number })[] => {
        const places = part.isHeld(keyword.store, row.date)
          ? null
          : toKeptPlaces(row, keyword.terms);
        return places
          ? [
              {
                date: row.date,
                depth: Math.min(row.depth, termDepthOn(keyword.terms, row.date)!),
                ...places,
              },
            ]
          : [];
      },
    );
    const depths = new Map(days.map((day) => [day.date, day.depth]));
    return findEntrants(days, { from: part.from, top: rule.top })
      .filter(
        (entrant) =>
          entrant.comparedDays >= rule.minDays &&
          !own.has(`${keyword.marketId} ${entrant.listingId}`),
      )
      .map((entrant) => ({ keyword, entrant, depth: depths.get(entrant.date)!, rule }));
  });
  return tellEntries(tx, workspaceId, entries);
}

async function tellEntries(
  tx: Tx,
  workspaceId: number,
  entries: readonly Entry[],
): Promise<Alert[]> {
  const alerts: Alert[] = [];
  for (const [appId, ofApp] of Map.groupBy(entries, ({ keyword }) => keyword.appId)) {
    const ids = [...new Set(ofApp.map(({ entrant }) => entrant.listingId))];
    const listings = new Map(
      (await listSerpListings(tx, workspaceId, appId, ids)).map((listing) => [listing.id, listing]),
    );
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
