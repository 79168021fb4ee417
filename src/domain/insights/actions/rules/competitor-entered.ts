import type { AppFacts, EntrantFacts, KeywordFacts } from '../facts.ts';
import { keyOf, type AppRule, type Finding, type Severity } from '../rule.ts';
import { thresholds } from '../thresholds.ts';
import { quote, shorten, formatCountryAndDevice, formatTraffic } from '../format-text.ts';
import { formatPosition } from '#lib/format-position.ts';

const type = 'competitor-entered';
const rule = thresholds[type];

/**
 * A competitor entered the top 10 of a keyword with traffic, or of one for which the app itself
 * ranks well.
 */
export const competitorEntered: AppRule = {
  type,
  scope: 'app',
  evaluate: ({ app, keywords, entrants, unsearchedKeywordIds }: AppFacts) => {
    const byId = new Map(keywords.map((keyword) => [keyword.id, keyword]));
    const unchecked = keywords.filter(({ latest }) => latest === null).map(({ id }) => id);
    return {
      findings: entrants.flatMap(
        (entrant) => evaluateEntrant(app.id, byId.get(entrant.keywordId), entrant) ?? [],
      ),
      undecided: [...unchecked, ...unsearchedKeywordIds].map((id) => keyOf(type, app.id, id)),
    };
  },
};

/** The keyword has traffic, or the app's own position is at stake. */
export function isImportant({
  traffic,
  latest,
}: Pick<KeywordFacts, 'traffic' | 'latest'>): boolean {
  const isSearched = traffic !== null && traffic >= rule.minTraffic;
  return (
    isSearched || (latest !== null && latest.position !== null && latest.position <= rule.ownWithin)
  );
}

function evaluateEntrant(
  appId: number,
  keyword: KeywordFacts | undefined,
  entrant: EntrantFacts,
): Finding | null {
  if (!keyword || keyword.latest === null || !isImportant(keyword) || entrant.position > rule.top)
    return null;
  const { id, phrase, country, device, traffic, latest } = keyword;
  const name = shorten(entrant.name, 60);
  return {
    key: keyOf(type, appId, id, entrant.competitorId),
    fingerprint: `entered ${entrant.enteredOn}`,
    severity: severityOf(keyword, entrant),
    title:
      `${name} entered the top ${rule.top} for ${quote(phrase)} ` +
      `(${formatCountryAndDevice(keyword)}) at ${entrant.position}`,
    reason:
      `It was not in the saved results of the ${entrant.comparedDays} checked days before ` +
      `${entrant.enteredOn}; your app ranks at ${formatPosition(latest)}. ` +
      `${formatTraffic(traffic)} Check its title, subtitle and screenshots for changes.`,
    evidence: {
      phrase,
      country,
      device,
      competitorId: entrant.competitorId,
      competitor: name,
      enteredOn: entrant.enteredOn,
      comparedDays: entrant.comparedDays,
      position: entrant.position,
      date: entrant.date,
      own: latest,
      traffic,
    },
    keywordIds: [id],
    weight: (traffic ?? 0) * 1_000 + rule.top - entrant.position,
  };
}

function severityOf({ traffic, latest }: KeywordFacts, { position }: EntrantFacts): Severity {
  const own = latest?.position ?? null;
  if (own !== null && own <= rule.top && position < own) return 'high';
  return traffic === null ? 'low' : 'medium';
}
