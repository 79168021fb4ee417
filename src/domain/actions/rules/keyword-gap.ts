import type { AppFacts, GapFacts, KeywordFacts } from '../facts.ts';
import { keyOf, type AppRule, type Finding } from '../rule.ts';
import { thresholds } from '../thresholds.ts';
import { quote, shorten, tellCountry, tellTraffic } from '../wording.ts';

const type = 'keyword-gap';
const rule = thresholds[type];
const mostNamed = 5;

/** Competitors stand well on a keyword on which the app was looked for and not found. */
export const keywordGap: AppRule = {
  type,
  scope: 'app',
  judge: ({ app, keywords, gaps }: AppFacts) => {
    const ofKeyword = Map.groupBy(gaps, (gap) => gap.keywordId);
    return {
      findings: keywords.flatMap(
        (keyword) => judgeKeyword(app.id, keyword, ofKeyword.get(keyword.id) ?? []) ?? [],
      ),
      undecided: keywords
        .filter((keyword) => keyword.latest === null)
        .map((keyword) => keyOf(type, app.id, keyword.id)),
    };
  },
};

function judgeKeyword(
  appId: number,
  { id, phrase, country, traffic, latest }: KeywordFacts,
  gaps: readonly GapFacts[],
): Finding | null {
  if (
    latest === null ||
    latest.position !== null ||
    (traffic !== null && traffic < rule.minTraffic)
  )
    return null;
  const rivals = gaps
    .filter(({ position }) => position <= rule.competitorWithin)
    .toSorted((a, b) => a.position - b.position || a.competitorId - b.competitorId);
  const [best] = rivals;
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
    title: `${shorten(best.name, 60)} stands at ${best.position} for ${quote(phrase)} (${tellCountry(country)}), your app was not found`,
    reason: `On ${latest.date} your app was not among the first ${latest.depth}. ${tellTraffic(traffic)} If the phrase suits the app, bring it into the texts; if not, stop following it.`,
    evidence: {
      phrase,
      country,
      own: latest,
      competitors: rivals
        .slice(0, mostNamed)
        .map((rival) => ({ ...rival, name: shorten(rival.name, 60) })),
      competitorsInAll: rivals.length,
      traffic,
    },
    keywordIds: [id],
    weight: (traffic ?? 0) * 1_000 + rule.competitorWithin - best.position,
  };
}
