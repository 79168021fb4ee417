import type { AppFacts, KeywordFacts } from '../facts.ts';
import { keyOf, type AppRule, type Finding, type Severity } from '../rule.ts';
import { bandOf, positionOf } from '../position-bands.ts';
import { thresholds } from '../thresholds.ts';
import { count, quote, formatCountryAndDevice, formatTraffic } from '../format-text.ts';
import { formatPosition } from '#lib/format-position.ts';

const type = 'rank-drop';
const rule = thresholds[type];

/** A keyword with traffic is well below its usual position in more than one check. */
export const rankDrop: AppRule = {
  type,
  scope: 'app',
  evaluate: ({ app, keywords }: AppFacts) => ({
    findings: keywords.flatMap((keyword) => evaluateKeyword(app.id, keyword) ?? []),
    undecided: keywords
      .filter(
        ({ latest, checks }) =>
          latest === null || checks.length < rule.fewestCheckedDays + rule.confirmedByChecks,
      )
      .map((keyword) => keyOf(type, app.id, keyword.id)),
  }),
};

function evaluateKeyword(appId: number, keyword: KeywordFacts): Finding | null {
  const { checks, traffic, latest, phrase, country, device } = keyword;
  if (latest === null || (traffic !== null && traffic < rule.minTraffic)) return null;
  const earlier = checks.slice(0, -rule.confirmedByChecks);
  const recent = checks.slice(-rule.confirmedByChecks);
  const usual =
    earlier.length < rule.fewestCheckedDays ? null : medianPosition(earlier.map(positionOf));
  if (usual === null || usual > rule.usualWithin) return null;
  // Not found only means: deeper than the examined depth.
  if (recent.some((check) => (check.position ?? check.depth + 1) - usual < rule.minPositions))
    return null;
  const lost = (latest.position ?? latest.depth + 1) - usual;
  const least = latest.position === null ? 'at least ' : '';
  return {
    key: keyOf(type, appId, keyword.id),
    fingerprint: `${bandOf(usual)}>${bandOf(latest.position)}`,
    severity: severityOf(traffic, usual, latest.position),
    title:
      `${quote(phrase)} (${formatCountryAndDevice(keyword)}) fell from ${usual} to ` +
      `${formatPosition(latest)}`,
    reason:
      `It usually ranked at ${usual} in recent weeks and has dropped by ` +
      `${least}${count(lost, 'position')}, confirmed by ${rule.confirmedByChecks} checks. ` +
      `${formatTraffic(traffic)} Check which apps rank there now and what changed in your ` +
      'listing since then.',
    evidence: {
      phrase,
      country,
      device,
      usualPosition: usual,
      usualOverChecks: earlier.length,
      latest,
      recent,
      positionsLost: lost,
      traffic,
    },
    keywordIds: [keyword.id],
    weight: (traffic ?? 0) * 1_000 + lost,
  };
}

/**
 * The median, where not found is worse than any position; null when the median itself is not found.
 */
function medianPosition(positions: readonly number[]): number | null {
  const median = positions.toSorted((a, b) => a - b)[Math.floor((positions.length - 1) / 2)]!;
  return Number.isFinite(median) ? median : null;
}

function severityOf(traffic: number | null, usual: number, now: number | null): Severity {
  if (traffic === null) return 'low';
  return traffic >= rule.highTraffic && usual <= 10 && (now === null || now > 10)
    ? 'high'
    : 'medium';
}
