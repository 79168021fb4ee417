import type { AppFacts, DemandFacts } from '../facts.ts';
import { keyOf, type AppRule, type Finding } from '../rule.ts';
import { thresholds } from '../thresholds.ts';
import { count, quote, tellCountry } from '../wording.ts';

const type = 'untracked-country';
const rule = thresholds[type];
const mostNamed = 10;

/** A country in which the app follows no keyword although its phrases are searched there, or although it is its own and people rate it there. */
export const untrackedCountry: AppRule = {
  type,
  scope: 'app',
  judge: ({ app, demand }: AppFacts) => ({
    findings: demand.flatMap((country) => judgeCountry(app.id, country) ?? []),
    undecided: [],
  }),
};

function judgeCountry(
  appId: number,
  { country, isPrimary, ratingCount, phrases }: DemandFacts,
): Finding | null {
  const searched = phrases
    .filter(({ traffic }) => traffic >= rule.minTraffic)
    .toSorted((a, b) => b.traffic - a.traffic || (a.phrase < b.phrase ? -1 : 1));
  const isSearched = searched.length >= rule.minPhrases;
  const isRated = isPrimary && ratingCount !== null && ratingCount >= rule.minRatings;
  if (!isSearched && !isRated) return null;
  const demand = [...(isSearched ? ['searched'] : []), ...(isRated ? ['rated'] : [])];
  const reasons = [
    ...(isSearched
      ? [
          `${count(searched.length, 'phrase')} of this app have traffic ${rule.minTraffic} or more there, as your other apps show: ${searched
            .slice(0, 3)
            .map(({ phrase }) => quote(phrase))
            .join(', ')}`,
        ]
      : []),
    ...(isRated ? [`it is the app’s own country, with ${count(ratingCount, 'rating')}`] : []),
  ];
  return {
    key: keyOf(type, appId, country),
    fingerprint: demand.join(' '),
    severity: isSearched ? 'medium' : 'low',
    title: `No keyword is followed in ${tellCountry(country)}`,
    reason: `There is demand: ${reasons.join('; ')}. ${isSearched ? `POST /apps/${appId}/keywords/copy-market takes the keywords there.` : 'What is searched there is not known before a keyword is followed.'}`,
    evidence: {
      country,
      demand,
      isPrimary,
      ratingCount,
      minTraffic: rule.minTraffic,
      phrases: searched.slice(0, mostNamed),
      phrasesInAll: searched.length,
    },
    keywordIds: [],
    weight: searched.reduce((sum, { traffic }) => sum + traffic, 0) + (isRated ? 1 : 0),
  };
}
