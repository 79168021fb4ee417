import type { AppFacts, KeywordFacts } from '../facts.ts';
import { keyOf, type AppRule, type Finding, type Severity } from '../rule.ts';
import { bandOf, placeOf } from '../places.ts';
import { thresholds } from '../thresholds.ts';
import { count, quote, tellCountry, tellTraffic } from '../wording.ts';
import { formatPosition } from '../../../lib/format-position.ts';

const type = 'rank-drop';
const rule = thresholds[type];

/** A searched keyword stands well below its usual place, by more than one check. */
export const rankDrop: AppRule = {
  type,
  scope: 'app',
  judge: ({ app, keywords }: AppFacts) => ({
    findings: keywords.flatMap((keyword) => judgeKeyword(app.id, keyword) ?? []),
    undecided: keywords
      .filter((keyword) => keyword.latest === null)
      .map((keyword) => keyOf(type, app.id, keyword.id)),
  }),
};

function judgeKeyword(appId: number, keyword: KeywordFacts): Finding | null {
  const { checks, traffic, latest, phrase, country } = keyword;
  if (latest === null || (traffic !== null && traffic < rule.minTraffic)) return null;
  const earlier = checks.slice(0, -rule.confirmedByChecks);
  const recent = checks.slice(-rule.confirmedByChecks);
  const usual = earlier.length < rule.fewestCheckedDays ? null : usualPlace(earlier.map(placeOf));
  if (usual === null || usual > rule.usualWithin) return null;
  // Not found says only: behind what was examined.
  if (recent.some((check) => (check.position ?? check.depth + 1) - usual < rule.minPlaces))
    return null;
  const lost = (latest.position ?? latest.depth + 1) - usual;
  const least = latest.position === null ? 'at least ' : '';
  return {
    key: keyOf(type, appId, keyword.id),
    fingerprint: `${bandOf(usual)}>${bandOf(latest.position)}`,
    severity: severityOf(traffic, usual, latest.position),
    title: `${quote(phrase)} (${tellCountry(country)}) fell from ${usual} to ${formatPosition(latest)}`,
    reason: `It usually stood at ${usual} in the last weeks and has lost ${least}${count(lost, 'place')}, confirmed by ${rule.confirmedByChecks} checks. ${tellTraffic(traffic)} Look at who stands there now and at what changed in the listing since.`,
    evidence: {
      phrase,
      country,
      usualPosition: usual,
      usualOverChecks: earlier.length,
      latest,
      recent,
      placesLost: lost,
      traffic,
    },
    keywordIds: [keyword.id],
    weight: (traffic ?? 0) * 1_000 + lost,
  };
}

/** The median, where a check that did not find the app is worse than any place; null when that is the median. */
function usualPlace(places: readonly number[]): number | null {
  const median = places.toSorted((a, b) => a - b)[Math.floor((places.length - 1) / 2)]!;
  return Number.isFinite(median) ? median : null;
}

function severityOf(traffic: number | null, usual: number, now: number | null): Severity {
  if (traffic === null) return 'low';
  return traffic >= rule.highTraffic && usual <= 10 && (now === null || now > 10)
    ? 'high'
    : 'medium';
}
