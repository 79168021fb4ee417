import { z } from 'zod';
import { rankPair } from '../rankings.ts';
import type { FormatPosition } from './event-definition.ts';
import { formatCountryAndDevice, keywordFields } from './event-shapes.ts';
import { cooldownOf, enabled, keywordScope } from './rule-fields.ts';

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
    .default(15)
    .meta({
      description:
        'A move of at least this many positions. A move out of, or into, the examined depth has ' +
        'at least as many as lie between the position and that depth.',
    }),
  thresholds: z
    .array(z.int().min(1).max(200))
    .max(20)
    .default([10])
    .meta({ description: 'Or a move across one of these positions, whatever its size.' }),
  depthEdge: z
    .boolean()
    .default(false)
    .meta({ description: 'Or any move out of, or into, the examined depth.' }),
  hysteresisPositions: z
    .int()
    .min(0)
    .max(50)
    .default(2)
    .meta({
      description:
        'A threshold counts as crossed only this many positions beyond it; getting there may ' +
        'take several days.',
    }),
  sustainedDays: z
    .int()
    .min(1)
    .max(7)
    .default(2)
    .meta({ description: 'The move must be there on this many checked days in a row.' }),
  maxGapDays: z.int().min(0).max(30).default(3).meta({
    description: 'Two checks with more unchecked days than this between them are not compared.',
  }),
  cooldownDays: cooldownOf(7),
};

export function formatRankMove(
  move: Pick<z.input<typeof rankMove>, 'phrase' | 'country' | 'device' | 'from' | 'to'>,
  formatPosition: FormatPosition,
): string {
  const { phrase, from, to } = move;
  const where = formatCountryAndDevice(move);
  return `${phrase} (${where}) ${formatPosition(from)} → ${formatPosition(to)}`;
}
