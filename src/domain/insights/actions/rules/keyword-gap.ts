import type { AppFacts, GapFacts, KeywordFacts } from '../facts.ts';
import { keyOf, type AppRule, type Finding } from '../rule.ts';
import { thresholds } from '../thresholds.ts';
import { quote, shorten, formatCountryAndDevice, formatTraffic } from '../format-text.ts';

const type = 'keyword-gap';
const rule = thresholds[type];
const maxNamed = 5;

/** Competitors rank well for a keyword for which the app was not found. */
export const keywordGap: AppRule = {
  type,
  scope: 'app',
  evaluate: ({ app, keywords, gaps }: AppFacts) => {
    const ofKeyword = Map.groupBy(gaps, (gap) => gap.keywordId);
    return {
      findings: keywords.flatMap(
        (keyword) => evaluateKeyword(app.id, keyword, ofKeyword.get(keyword.id) ?? []) ?? [],
      ),
      undecided: keywords
        .filter((keyword) => keyword.latest === null)
        .map((keyword) => keyOf(type, app.id, keyword.id)),
    };
  },
};

function evaluateKeyword(
  appId: number,
  { id, phrase, country, device, traffic, latest }: KeywordFacts,
  gaps: readonly GapFacts[],
): Finding | null {
  if (
    latest === null ||
    latest.position !== null ||
    (traffic !== null && traffic < rule.minTraffic)
  )
    return null;
  const competitors = gaps
    .filter(({ position }) => position <= rule.competitorWithin)
    .toSorted((a, b) => a.position - b.position || a.competitorId - b.competitorId);
  const [best] = competitors;
  if (!best) return null;
  return {
    key: keyOf(type, appId, id),
    fingerprint: 'not found',
    severity:
      traffic === null
        ? 'low'
        : traffic >= rule.highTraffic && best.position <= 10
          ? 'high'
          : 'medium',
    title:
      `${shorten(best.name, 60)} ranks at ${best.position} for ${quote(phrase)} ` +
      `(${formatCountryAndDevice({ country, device })}), your app was not found`,
    reason:
      `On ${latest.date} your app was not in the top ${latest.depth}. ` +
      `${formatTraffic(traffic)} If the phrase suits your app, add it to your metadata. ` +
      'Otherwise, stop tracking it.',
    evidence: {
      phrase,
      country,
      device,
      own: latest,
      competitors: competitors
        .slice(0, maxNamed)
        .map((competitor) => ({ ...competitor, name: shorten(competitor.name, 60) })),
      competitorsInAll: competitors.length,
      traffic,
    },
    keywordIds: [id],
    weight: (traffic ?? 0) * 1_000 + rule.competitorWithin - best.position,
  };
}
