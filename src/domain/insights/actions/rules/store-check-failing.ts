import { addDays, maxDay, minDay } from '#lib/dates.ts';
import type { AppFacts, FailingFacts } from '../facts.ts';
import { keyOf, type AppRule, type Finding } from '../rule.ts';
import { thresholds } from '../thresholds.ts';
import { count, formatCountry } from '../format-text.ts';

const type = 'store-check-failing';
const rule = thresholds[type];
const maxNamed = 50;

/** The store has failed searches of a country for days, up to now. */
export const storeCheckFailing: AppRule = {
  type,
  scope: 'app',
  evaluate: (facts: AppFacts) => {
    const lasting = facts.failing.filter(
      ({ days, lastOn }) => days >= rule.minDays && lastOn >= addDays(facts.today, -1),
    );
    return {
      findings: [...Map.groupBy(lasting, (row) => row.country)].map(([country, rows]) =>
        toFinding(facts, country, rows),
      ),
      undecided: [],
    };
  },
};

function toFinding(
  { app, keywords }: AppFacts,
  country: string,
  rows: readonly FailingFacts[],
): Finding {
  const followed = keywords.filter((keyword) => keyword.country === country).length;
  const share = followed === 0 ? 1 : rows.length / followed;
  const since = rows.map((row) => row.since).reduce(minDay);
  const markers = [...new Set(rows.flatMap((row) => row.marker ?? []))].toSorted();
  const responses =
    markers.length === 0 ? '' : `Responses from the store: ${markers.slice(0, 5).join(', ')}. `;
  return {
    key: keyOf(type, app.id, country),
    fingerprint: markers.join(' '),
    severity: share >= rule.highShare ? 'high' : 'medium',
    title:
      `${count(rows.length, 'search', 'searches')} in ${formatCountry(country)} have failed ` +
      `since ${since}`,
    reason:
      `${rows.length} of ${count(followed, 'keyword')} there have no position for these days ` +
      `because the checks failed. ${responses}Check GET /runs and the request rate. If the store ` +
      'does not serve this country, stop tracking it.',
    evidence: {
      country,
      failingKeywords: rows.length,
      keywords: followed,
      since,
      lastOn: rows.map((row) => row.lastOn).reduce(maxDay),
      markers,
    },
    keywordIds: rows.slice(0, maxNamed).map((row) => row.keywordId),
    weight: rows.length,
  };
}
