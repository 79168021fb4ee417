import { z } from 'zod';
import { ApiError, type Client } from '#client/http.ts';
import { addDays } from '#lib/dates.ts';
import { dayArgument, keywordIdArgument, limitArgument } from '../argument-schemas.ts';
import { notice } from '../common-schemas.ts';
import { defineTool, ToolError } from '../tool.ts';
import { cut, lines, quote, storeTextNotice } from '../text-format.ts';

export const getSearchResults = defineTool({
  name: 'get_search_results',
  title: 'Search results',
  description:
    'Stored results of a keyword on a day (default: latest), and who entered or left since the ' +
    'provider’s day before.',
  kind: 'read',
  input: z.strictObject({
    keywordId: keywordIdArgument,
    date: dayArgument.optional(),
    limit: limitArgument.default(10).describe('The first results.'),
  }),
  apiNames: { a: 'date', b: 'date', from: 'date', to: 'date', top: 'limit' },
  output: z.object({
    date: z.string(),
    comparedWith: z.string().nullable(),
    comparedTop: z.int(),
    provider: z.string(),
    depth: z.int(),
    resultCount: z.int(),
    results: z.array(
      z.object({
        position: z.int(),
        storeAppId: z.string(),
        name: z.string().nullable(),
        rating: z.number().nullable(),
        own: z.boolean(),
        competitor: z.boolean(),
        entrant: z.boolean().nullable(),
      }),
    ),
    left: z.array(z.object({ name: z.string(), now: z.int().nullable() })),
    notice,
  }),
  async run(api, { keywordId, date, limit: top }) {
    const kept = await readKept(api, keywordId, { date, limit: top });
    const before = await compareWithBefore(api, keywordId, kept, top);
    const results = kept.items.map((item) => ({
      position: item.position,
      storeAppId: item.storeAppId,
      name: item.name === null ? null : cut(item.name, 120),
      rating: item.rating,
      own: item.isOwn,
      competitor: item.isCompetitor,
      entrant: item.position <= before.top ? before.entered.has(item.storeAppId) : null,
    }));
    const rows = results.map((row) => {
      const marks = [row.own && 'own app', row.competitor && 'competitor', row.entrant && 'entrant']
        .filter(Boolean)
        .join(', ');
      return (
        `${row.position}. ${quote(row.name)} (${row.storeAppId})` +
        `${row.rating === null ? '' : ` ${row.rating.toFixed(1)}★`}` +
        `${marks === '' ? '' : ` [${marks}]`}`
      );
    });
    const text = lines(
      `${results.length} of ${kept.kept} stored results on ${kept.date} by ` +
        `${kept.provider} (${kept.depth} positions ` +
        `examined, ${kept.resultCount} ` +
        `results)${
          before.date === null
            ? `; no earlier day ${before.hasOthers ? 'by this provider ' : ''}to compare`
            : `; the first ${before.top} compared ` + `with ${before.date}`
        }`,
      rows,
      before.date !== null &&
        results.length > before.top &&
        `Entries below position ${before.top} are unknown: one of the two days has no more ` +
          'results.',
      before.left.length > 0 &&
        `Fell out of the first ${before.top}: ${before.left.map(formatExit).join(', ')}`,
      storeTextNotice,
    );
    const { provider, depth, resultCount } = kept;
    const compared = { comparedWith: before.date, comparedTop: before.top, left: before.left };
    return {
      text,
      data: {
        date: kept.date,
        ...compared,
        provider,
        depth,
        resultCount,
        results,
        notice: storeTextNotice,
      },
    };
  },
});

function formatExit({ name, now }: { name: string; now: number | null }): string {
  return `${quote(name)}${now === null ? '' : ` (now ${now})`}`;
}

/** Distinguishes a day without stored results from an unknown keyword. */
async function readKept(
  api: Client,
  keywordId: number,
  query: { date: string | undefined; limit: number },
) {
  const params = { keywordId };
  try {
    return await api('GET /keywords/{keywordId}/serp', { params, query });
  } catch (error) {
    if (!(error instanceof ApiError) || error.status !== 404) throw error;
    const { items } = await api('GET /keywords/{keywordId}/serp/dates', { params });
    const days = items
      .map((item) => item.date)
      .toSorted()
      .slice(-5);
    const known =
      days.length === 0
        ? 'None are stored for the last 30 days.'
        : `The latest stored: ${days.join(', ')}.`;
    throw new ToolError(
      `No search results of keyword ${keywordId} are ` +
        `stored${query.date === undefined ? '' : ` for ${query.date}`}. ${known}`,
    );
  }
}

/**
 * Compares with the latest earlier day by the same provider, because positions of two providers are
 * not comparable. `top` is smaller than requested when one of the days has fewer results. Entries
 * and exits below it are unknown.
 */
async function compareWithBefore(
  api: Client,
  keywordId: number,
  { date, provider }: { date: string; provider: string },
  top: number,
) {
  const params = { keywordId };
  const { items } = await api('GET /keywords/{keywordId}/serp/dates', {
    params,
    query: { from: addDays(date, -30), to: addDays(date, -1) },
  });
  const before = items
    .filter((item) => item.provider === provider)
    .map((item) => item.date)
    .toSorted()
    .at(-1);
  const hasOthers = items.some((item) => item.provider !== provider);
  if (before === undefined)
    return { date: null, hasOthers, top: 0, entered: new Set<string>(), left: [] };
  const diff = await api('GET /keywords/{keywordId}/serp/diff', {
    params,
    query: { a: before, b: date, top },
  });
  const left = diff.left.map((item) => ({
    name: cut(item.name ?? item.storeAppId, 120),
    now: item.to,
  }));
  return {
    date: before,
    hasOthers,
    top: diff.top,
    entered: new Set(diff.entered.map((item) => item.storeAppId)),
    left,
  };
}
