import { z } from 'zod';
import { rankPair } from '../rankings.ts';
import type { FormatPosition } from './event-definition.ts';
import { formatCountryAndDevice, keywordFields } from './event-shapes.ts';
import { cooldownDays, enabled, keywordScope } from './rule-fields.ts';

/** The data of rank.dropped and rank.improved. */
export const rankMove = z
  .strictObject({
    ...keywordFields,
    from: rankPair,
    to: rankPair,
    positionsGained: z.int().nullable().meta({
      description:
        'Positions gained (positive) or lost (negative); null when one side was not found.',
    }),
    reasons: z.array(z.enum(['moved', 'crossed', 'entered', 'left'])).min(1),
    crossed: z
      .array(z.int().min(1).max(200))
      .meta({ description: 'The thresholds that lie between the two positions.' }),
  })
  .meta({
    id: 'RankMove',
    description: 'Two checked days of a keyword; a position never comes without its depth.',
  });

export const rankRuleFields = {
  enabled,
  scope: keywordScope,
  minPositions: z
    .int()
    .min(1)
    .max(200)
    .default(5)
    .meta({ description: 'A move of at least this many positions.' }),
  thresholds: z
    .array(z.int().min(1).max(200))
    .max(20)
    .default([1, 3, 10, 50])
    .meta({ description: 'Or a move across one of these positions, whatever its size.' }),
  depthEdge: z
    .boolean()
    .default(true)
    .meta({ description: 'Or a move out of, or into, the examined depth.' }),
  hysteresisPositions: z
    .int()
    .min(0)
    .max(50)
    .default(0)
    .meta({
      description:
        'A threshold counts as crossed only this many positions beyond it; getting there may ' +
        'take several days.',
    }),
  maxGapDays: z.int().min(0).max(30).default(3).meta({
    description: 'Two checks with more unchecked days than this between them are not compared.',
  }),
  cooldownDays,
};

export function formatRankMove(
  move: Pick<z.input<typeof rankMove>, 'phrase' | 'country' | 'device' | 'from' | 'to'>,
  formatPosition: FormatPosition,
): string {
  const { phrase, from, to } = move;
  const where = formatCountryAndDevice(move);
  return `${phrase} (${where}) ${formatPosition(from)} → ${formatPosition(to)}`;
}
