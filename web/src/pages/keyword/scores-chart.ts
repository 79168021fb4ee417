import type { TFunction } from 'i18next';
import { addDays, daysBetween } from '#lib/dates.ts';
import { seriesColor } from '#web/components/chart/colors.ts';
import type { ChartSpec, LineLayer } from '#web/components/chart/spec.ts';
import type { TipLine } from '#web/components/chart/tip.tsx';
import { exactAxis } from '#web/components/chart/value-axis.ts';
import { formatDay } from '#web/format.ts';
import type { Score } from '#web/queries/scores.ts';

const looks = {
  traffic: { color: seriesColor(0), shape: 'circle' },
  difficulty: { color: seriesColor(2), shape: 'diamond' },
} as const;

/** Both scores by day. Nothing is known between two calculations. */
export function buildScoresChart(oldestFirst: readonly Score[], t: TFunction): ChartSpec {
  const dayOf = ({ scoredAt }: Score) => scoredAt.slice(0, 10);
  const [first, last] = [dayOf(oldestFirst[0]!), dayOf(oldestFirst.at(-1)!)];
  const days = Array.from({ length: daysBetween(first, last) + 1 }, (_, at) => addDays(first, at));
  const byDay = new Map(oldestFirst.map((score) => [dayOf(score), score]));
  const lineOf = (kind: 'traffic' | 'difficulty'): LineLayer => ({
    kind: 'line',
    values: days.map((day) => byDay.get(day)?.[kind] ?? null),
    isJoined: true,
    width: 2,
    dot: 6,
    hasAllDots: true,
    ...looks[kind],
  });
  return {
    columns: days,
    nameColumn: (day) => formatDay(day),
    isZoomable: false,
    axis: { ...exactAxis(0, 100, String), ticks: [0, 25, 50, 75, 100] },
    layers: [lineOf('traffic'), lineOf('difficulty')],
    selectable: [...days.keys()].filter((index) => byDay.has(days[index]!)),
    describe: (index) => {
      const score = byDay.get(days[index]!);
      return score ? describeScore(score, t) : [];
    },
  };
}

function describeScore(
  { scoredAt, traffic, difficulty, provenance }: Score,
  t: TFunction,
): TipLine[] {
  return [
    ['day', formatDay(scoredAt.slice(0, 10), true)],
    ['series', `${t('score.traffic')}: ${traffic ?? '–'}`, looks.traffic.color],
    ['series', `${t('score.difficulty')}: ${difficulty ?? '–'}`, looks.difficulty.color],
    ...(provenance === null
      ? []
      : [
          ['note', t(`score.confidence.${provenance.confidence}`)] satisfies TipLine,
          ['note', provenance.formula] satisfies TipLine,
        ]),
  ];
}
