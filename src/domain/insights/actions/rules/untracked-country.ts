import type { AppFacts, DemandFacts } from '../facts.ts';
import { keyOf, type AppRule, type Finding } from '../rule.ts';
import { thresholds } from '../thresholds.ts';
import { count, quote, formatCountry } from '../format-text.ts';

const type = 'untracked-country';
const rule = thresholds[type];

/**
 * A country without tracked keywords although the app's phrases are searched there, or although it
 * is its primary country with ratings.
 */
export const untrackedCountry: AppRule = {
  type,
  scope: 'app',
  evaluate: ({ app, demand }: AppFacts) => ({
    findings: demand.flatMap((country) => evaluateCountry(app.id, country) ?? []),
    undecided: [],
  }),
};

function evaluateCountry(
  appId: number,
  { country, isPrimary, ratingCount, phrases, phrasesInAll, trafficInAll }: DemandFacts,
): Finding | null {
  const isSearched = phrasesInAll >= rule.minPhrases;
  const isRated = isPrimary && ratingCount !== null && ratingCount >= rule.minRatings;
  if (!isSearched && !isRated) return null;
  const demand = [...(isSearched ? ['searched'] : []), ...(isRated ? ['rated'] : [])];
  const reasons = [
    ...(isSearched
      ? [
          `${count(phrasesInAll, 'phrase')} of this app have traffic of ${rule.minTraffic} or ` +
            `more there, according to your other apps: ${quotePhrases(phrases.slice(0, 3))}`,
        ]
      : []),
    ...(isRated
      ? [`it is the primary country of the app, with ${count(ratingCount, 'rating')}`]
      : []),
  ];
  return {
    key: keyOf(type, appId, country),
    fingerprint: demand.join(' '),
    severity: isSearched ? 'medium' : 'low',
    title: `No keywords are tracked in ${formatCountry(country)}`,
    reason:
      `There is demand: ${reasons.join('; ')}. ` +
      `${
        isSearched
          ? `POST /apps/${appId}/keywords/copy-market copies keywords from another country.`
          : 'Track a keyword there to learn how much it is searched for.'
      }`,
    evidence: {
      country,
      demand,
      isPrimary,
      ratingCount,
      minTraffic: rule.minTraffic,
      phrases,
      phrasesInAll,
    },
    keywordIds: [],
    weight: trafficInAll + (isRated ? 1 : 0),
  };
}

const quotePhrases = (phrases: readonly { phrase: string }[]): string =>
  phrases.map(({ phrase }) => quote(phrase)).join(', ');
