import { z } from 'zod';
import type { CallOutput } from '#client/http.ts';
import { checkedDailyRank } from './common-schemas.ts';
import { quote, formatGain, formatCheckedPosition } from './text-format.ts';

export const moverKinds = ['gained', 'lost', 'entered', 'left'] as const;

export const moverRow = z.object({
  kind: z.enum(moverKinds),
  keywordId: z.int(),
  phrase: z.string(),
  country: z.string(),
  from: checkedDailyRank,
  to: checkedDailyRank,
  change: z.int().nullable().describe('Places gained.'),
});

type Moved = CallOutput<'GET /apps/{id}/rankings/movers'>['gained'][number];

export function toMoverRow(
  kind: (typeof moverKinds)[number],
  { keywordId, phrase, country, from, to, change }: Moved,
): z.output<typeof moverRow> {
  const bare = ({ position, depth }: Moved['from']) => ({ position, depth });
  return { kind, keywordId, phrase, country, from: bare(from), to: bare(to), change };
}

export function formatMover({
  kind,
  phrase,
  country,
  keywordId,
  from,
  to,
  change,
}: z.output<typeof moverRow>): string {
  const positions = change === null ? '' : ` (${formatGain(change)})`;
  return (
    `- ${kind}: ${quote(phrase)} ${country} (keyword ${keywordId}) ` +
    `${formatCheckedPosition(from)} → ${formatCheckedPosition(to)}${positions}`
  );
}
