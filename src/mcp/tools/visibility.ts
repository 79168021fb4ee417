import { z } from 'zod';
import type { CallOutput } from '#client/http.ts';
import {
  anyCountryArgument,
  anyDeviceArgument,
  appIdArgument,
  cursorArgument,
  fromArgument,
  toArgument,
} from '../argument-schemas.ts';
import { page } from '../common-schemas.ts';
import { formatSegment, keepLastProvider } from '../provider-facts.ts';
import { defineTool } from '../tool.ts';
import { formatCount, formatCoverage, formatFilter, lines } from '../text-format.ts';

/** Days of a page: their text stays below the limit of a response. */
const daysMax = 120;

type Visibility = CallOutput<'GET /apps/{id}/visibility'>;

export const getVisibility = defineTool({
  name: 'get_visibility',
  title: 'Visibility by day',
  description: 'Visibility index (0–100) by day.',
  kind: 'read',
  input: z.strictObject({
    appId: appIdArgument,
    country: anyCountryArgument,
    device: anyDeviceArgument,
    from: fromArgument,
    to: toArgument,
    keywords: z
      .enum(['same', 'all'])
      .default('same')
      .describe('same: tracked on the first and last day.'),
    cursor: cursorArgument,
  }),
  output: z.object({
    days: z.array(
      z.object({
        date: z.string(),
        index: z.number().nullable(),
        coverage: z.number().nullable(),
        tracked: z.int(),
        ranked: z.int(),
      }),
    ),
    providers: z.array(z.string()),
    ...page,
  }),
  async run(api, { appId: id, ...query }) {
    const list = await api('GET /apps/{id}/visibility', {
      params: { id },
      query: { ...query, limit: daysMax },
    });
    const { weighting, keywords, tracked: trackedNow, scored } = list.inputs;
    const days = list.items.map(({ date, index, coverage, followed: tracked, ranked }) => ({
      date,
      index,
      coverage,
      tracked,
      ranked,
    }));
    const text = lines(
      `Visibility in ${formatFilter(query)}: ${formatChange(days, list.segments)}.`,
      `${formatCount(days.length, list, 'days', 'from or to')}; ` +
        `${keywords === trackedNow ? '' : `${keywords} of `}${trackedNow} keywords, ` +
        (weighting === 'traffic' ? `${scored} weighted by their traffic.` : 'weighted equally.'),
      days.map(
        ({ date, index, coverage, tracked, ranked }) =>
          `- ${date}: ${index ?? 'not checked'}${formatCoverage(coverage)}, ${ranked} of ` +
          `${tracked} keywords ranked`,
      ),
    );
    return {
      text,
      data: {
        days,
        providers: list.segments.map(formatSegment),
        total: list.total,
        nextCursor: list.nextCursor,
      },
    };
  },
});

type Day = Pick<Visibility['items'][number], 'date' | 'index' | 'coverage'>;

/** The first and the last checked day of the page, of one search provider. */
function formatChange(days: readonly Day[], segments: Visibility['segments']): string {
  const checked = days.filter(({ index }) => index !== null);
  const compared = keepLastProvider(checked, segments);
  const [first, last] = [compared.days.at(0), compared.days.at(-1)];
  if (!first || !last) return 'unknown, nothing was checked on these days';
  const name = ({ date, index, coverage }: Day) => `${index} on ${date}${formatCoverage(coverage)}`;
  const change = first === last ? name(first) : `${name(first)} → ${name(last)}`;
  return compared.provider === null ? change : `${change}; ${compared.provider}`;
}
