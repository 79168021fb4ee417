import { z } from 'zod';
import type { CallOutput } from '../client/http.ts';
import { checkedCell } from './shapes.ts';
import { quote, tellGain, tellPosition } from './wording.ts';

export const moverKinds = ['gained', 'lost', 'entered', 'left'] as const;

export const moverRow = z.object({
  kind: z.enum(moverKinds),
  keywordId: z.int(),
  phrase: z.string(),
  country: z.string(),
  from: checkedCell,
  to: checkedCell,
  change: z.int().nullable().describe('Places gained.'),
});

type Moved = CallOutput<'GET /apps/{id}/rankings/movers'>['gained'][number];

export function tellMover(
  kind: (typeof moverKinds)[number],
  { keywordId, phrase, country, from, to, change }: Moved,
): z.output<typeof moverRow> {
  const bare = ({ position, depth }: Moved['from']) => ({ position, depth });
  return { kind, keywordId, phrase, country, from: bare(from), to: bare(to), change };
}

export function tellMoverLine({
  kind,
  phrase,
  country,
  keywordId,
  from,
  to,
  change,
}: z.output<typeof moverRow>): string {
  const places = change === null ? '' : ` (${tellGain(change)})`;
  return `- ${kind}: ${quote(phrase)} ${country} (keyword ${keywordId}) ${tellPosition(from)} → ${tellPosition(to)}${places}`;
}
