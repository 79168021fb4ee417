import type { AppFacts, KeywordFacts } from '../facts.ts';
import { keyOf, type AppRule, type Finding } from '../rule.ts';
import { thresholds } from '../thresholds.ts';
import { quote, formatCountryAndDevice, formatTraffic } from '../format-text.ts';

const type = 'striking-distance';
const rule = thresholds[type];
const lines = [
  { top: 10, within: rule.top10Within },
  { top: 3, within: rule.top3Within },
] as const;

/**
 * A keyword just outside the top 10 or the top 3 in several checks. A small gain would reach many
 * more users.
 */
export const strikingDistance: AppRule = {
  type,
  scope: 'app',
  evaluate: ({ app, keywords }: AppFacts) => ({
    findings: keywords.flatMap((keyword) => evaluateKeyword(app.id, keyword) ?? []),
    undecided: keywords
      .filter(({ latest, checks }) => latest === null || checks.length < rule.checksInARow)
      .map((keyword) => keyOf(type, app.id, keyword.id)),
  }),
};

function evaluateKeyword(appId: number, keyword: KeywordFacts): Finding | null {
  const { id, phrase, country, device, traffic, latest, checks } = keyword;
  const recent = checks.slice(-rule.checksInARow);
  if (
    latest === null ||
    recent.length < rule.checksInARow ||
    (traffic !== null && traffic < rule.minTraffic)
  )
    return null;
  const line = lines.find(({ top, within }) =>
    recent.every(({ position }) => position !== null && position > top && position <= within),
  );
  if (!line) return null;
  return {
    key: keyOf(type, appId, id, line.top),
    fingerprint: `outside ${line.top}`,
    severity: traffic !== null && traffic >= rule.mediumTraffic ? 'medium' : 'low',
    title:
      `${quote(phrase)} (${formatCountryAndDevice(keyword)}) is just outside the top ` +
      `${line.top}, at ${latest.position}`,
    reason:
      `It has ranked between ${line.top + 1} and ${line.within} for ${rule.checksInARow} checks ` +
      `in a row. ${formatTraffic(traffic)} Using the phrase more prominently in the title or ` +
      'subtitle may be enough to move it up.',
    evidence: {
      phrase,
      country,
      device,
      top: line.top,
      within: line.within,
      checks: recent,
      traffic,
    },
    keywordIds: [id],
    weight: (traffic ?? 0) * 1_000 + line.within - latest.position!,
  };
}
