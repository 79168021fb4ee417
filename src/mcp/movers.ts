import { z } from 'zod';
import type { CallOutput } from '#client/http.ts';
import { checkedDailyRank, device } from './common-schemas.ts';
import { formatSegment } from './provider-facts.ts';
import { formatCheckedPosition, formatGain, formatMarket } from './text-format.ts';

export const moverKinds = ['gained', 'lost', 'entered', 'left'] as const;

export const moverRow = z.object({
  kind: z.enum(moverKinds),
  keywordId: z.int(),
  phrase: z.string(),
  country: z.string(),
  device,
  from: checkedDailyRank,
  to: checkedDailyRank,
  change: z.int().nullable().describe('Positions gained.'),
});

type Movers = CallOutput<'GET /apps/{id}/rankings/movers'>;
type Moved = Movers['gained'][number];

/** How many keywords have unknown moves, and why; nothing without any. */
export function formatNotComparable({
  notComparable,
  segments,
}: Pick<Movers, 'notComparable' | 'segments'>): string[] {
  if (notComparable === 0) return [];
  const providers = segments.length > 1 ? `: ${segments.map(formatSegment).join('; ')}` : '';
  return [
    `${notComparable} keywords are not comparable, because two search providers have their ` +
      `positions${providers}`,
  ];
}

export function toMoverRow(
  kind: (typeof moverKinds)[number],
  { keywordId, phrase, country, device: on, from, to, change }: Moved,
): z.output<typeof moverRow> {
  const bare = ({ position, depth }: Moved['from']) => ({ position, depth });
  return { kind, keywordId, phrase, country, device: on, from: bare(from), to: bare(to), change };
}

export function formatMover(row: z.output<typeof moverRow>): string {
  const { kind, keywordId, from, to, change } = row;
  const positions = change === null ? '' : ` (${formatGain(change)})`;
  return (
    `${kind}: ${formatMarket(row)} (keyword ${keywordId}) ` +
    `${formatCheckedPosition(from)} → ${formatCheckedPosition(to)}${positions}`
  );
}
