import type { CallOutput, Client } from '#client/http.ts';
import { requestAll } from './request-all.ts';
import { formatCheckedPosition } from './text-format.ts';

type History = CallOutput<'GET /keywords/{keywordId}/rankings'>;

/** The newest days of a keyword on which only another provider responded. */
const maxFallbacks = 10;

/** The search providers of each keyword's positions in the days, by keyword. */
export async function readProviderFacts(
  api: Client,
  keywordIds: readonly number[],
  range: { from: string; to: string },
): Promise<Map<number, string[]>> {
  const found = await requestAll(
    keywordIds.map((keywordId) =>
      api('GET /keywords/{keywordId}/rankings', {
        params: { keywordId },
        query: { ...range, fill: 'gaps' },
      }),
    ),
  );
  return new Map(keywordIds.map((id, index) => [id, listProviderFacts(found[index]!)]));
}

/** `web from 2026-06-05, not comparable with before`; the first one has nothing before it. */
export const formatSegment = (
  { from, provider }: History['segments'][number],
  index: number,
): string => `${provider} from ${from}${index === 0 ? '' : ', not comparable with before'}`;

/** The days of the last one's provider, which is named where earlier days have another. */
export function keepLastProvider<Day extends { date: string }>(
  days: readonly Day[],
  segments: History['segments'],
): { days: Day[]; provider: string | null } {
  const last = days.at(-1)?.date ?? '';
  const at = segments.findLastIndex(({ from }) => from <= last);
  const segment = segments[at];
  const kept = days.filter(({ date }) => date >= (segment?.from ?? ''));
  const provider = segment && kept.length < days.length ? formatSegment(segment, at) : null;
  return { days: kept, provider };
}

/** `web from 2026-06-05, not comparable with before`, `2026-06-07 only itunes responded: 12`. */
function listProviderFacts({ items, segments }: History): string[] {
  const fallbacks = items
    .flatMap((cell) =>
      cell.state === 'not_checked' && cell.fallback ? [{ ...cell.fallback, date: cell.date }] : [],
    )
    .toSorted((a, b) => a.date.localeCompare(b.date));
  const shown = fallbacks.slice(-maxFallbacks);
  const more = fallbacks.length - shown.length;
  return [
    ...segments.map(formatSegment),
    ...(more > 0 ? [`${more} earlier days by another provider only`] : []),
    ...shown.map(
      ({ date, provider, ...rank }) =>
        `${date} only ${provider} responded: ${formatCheckedPosition(rank)}`,
    ),
  ];
}
