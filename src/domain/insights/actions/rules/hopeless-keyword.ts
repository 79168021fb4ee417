import { addDays } from '#lib/dates.ts';
import type { AppFacts, KeywordFacts } from '../facts.ts';
import { keyOf, type AppRule, type Finding } from '../rule.ts';
import { thresholds } from '../thresholds.ts';
import { quote, formatCountryAndDevice, formatTraffic } from '../format-text.ts';

const type = 'hopeless-keyword';
const rule = thresholds[type];

/**
 * A difficult keyword for which the app was not found in 30 days. A better one could use its daily
 * search.
 */
export const hopelessKeyword: AppRule = {
  type,
  scope: 'app',
  evaluate: ({ app, today, keywords }: AppFacts) => ({
    findings: keywords.flatMap((keyword) => evaluateKeyword(app.id, today, keyword) ?? []),
    undecided: keywords
      .filter((keyword) => isUndecided(today, keyword))
      .map((keyword) => keyOf(type, app.id, keyword.id)),
  }),
};

function isUndecided(today: string, keyword: KeywordFacts): boolean {
  const { latest, difficulty, checks } = keyword;
  if (latest === null || difficulty === null) return true;
  return checks.length < rule.fewestCheckedDays && isCandidate(today, keyword);
}

/** False when further checks cannot make it hopeless. */
function isCandidate(today: string, { difficulty, followedSince, checks }: KeywordFacts): boolean {
  return (
    (difficulty ?? 0) >= rule.minDifficulty &&
    followedSince <= addDays(today, 1 - rule.overDays) &&
    checks.every((check) => check.position === null)
  );
}

function evaluateKeyword(appId: number, today: string, keyword: KeywordFacts): Finding | null {
  const { id, phrase, country, device, difficulty, traffic, latest, checks } = keyword;
  if (latest === null || difficulty === null || checks.length < rule.fewestCheckedDays) return null;
  if (!isCandidate(today, keyword)) return null;
  const depth = Math.min(...checks.map((check) => check.depth));
  return {
    key: keyOf(type, appId, id),
    fingerprint: 'never found',
    severity: 'low',
    title:
      `${quote(phrase)} (${formatCountryAndDevice(keyword)}) is difficult and was not found in ` +
      `${rule.overDays} days`,
    reason:
      `Its difficulty is ${difficulty} of 100, and the app was not in the top ${depth} in any of ` +
      `${checks.length} checks. ${formatTraffic(traffic)} Pause it and use its daily search ` +
      'for a phrase within reach.',
    evidence: {
      phrase,
      country,
      device,
      difficulty,
      traffic,
      checks: checks.length,
      from: checks[0]!.date,
      to: latest.date,
      leastDepth: depth,
      searchesFreedPerDay: 1,
    },
    keywordIds: [id],
    weight: difficulty,
  };
}
