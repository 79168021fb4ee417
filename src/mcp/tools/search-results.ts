import { z } from 'zod';
import { ApiError, type Client } from '../../client/http.ts';
import { addDays } from '../../lib/dates.ts';
import { day, limit, notice } from '../shapes.ts';
import { defineTool, ToolFault } from '../tool.ts';
import { cut, lines, quote, storeTextNotice } from '../wording.ts';

export const getSearchResults = defineTool({
  name: 'get_search_results',
  title: 'Who ranks for a keyword',
  description: 'The kept search results of a keyword on a day (default: the newest); entrants against the kept day before are marked. Asks no store.',
  kind: 'read',
  input: z.strictObject({ keywordId: z.int(), date: day.optional(), limit: limit.default(10) }),
  output: z.object({
    date: z.string(),
    comparedWith: z.string().nullable(),
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
        entrant: z.boolean(),
      }),
    ),
    left: z.array(z.string()).describe('Names that fell out.'),
    notice,
  }),
  async run(api, { keywordId, date, limit: top }) {
    const kept = await readKept(api, keywordId, { date, limit: top });
    const before = await compareWithBefore(api, keywordId, kept.date, top);
    const results = kept.items.map((item) => ({
      position: item.position,
      storeAppId: item.storeAppId,
      name: item.name === null ? null : cut(item.name, 120),
      rating: item.rating,
      own: item.isOwn,
      competitor: item.isCompetitor,
      entrant: before.entered.has(item.storeAppId),
    }));
    const rows = results.map((row) => {
      const marks = [row.own && 'own app', row.competitor && 'competitor', row.entrant && 'entrant'].filter(Boolean).join(', ');
      return `${row.position}. ${quote(row.name)} (${row.storeAppId})${row.rating === null ? '' : ` ${row.rating.toFixed(1)}★`}${marks === '' ? '' : ` [${marks}]`}`;
    });
    const text = lines(
      `${results.length} of ${kept.kept} kept results on ${kept.date} (${kept.depth} places examined, ${kept.resultCount} results)${before.date === null ? '; no earlier day to compare' : `, compared with ${before.date}`}`,
      rows,
      before.left.length > 0 && `Fell out: ${before.left.map((name) => quote(name)).join(', ')}`,
      storeTextNotice,
    );
    const { depth, resultCount } = kept;
    return { text, data: { date: kept.date, comparedWith: before.date, depth, resultCount, results, left: before.left, notice: storeTextNotice } };
  },
});

/** A day without kept results is told apart from a keyword that is not there. */
async function readKept(api: Client, keywordId: number, query: { date: string | undefined; limit: number }) {
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
    const known = days.length === 0 ? 'None are kept of the last 30 days: it was not checked yet.' : `The newest kept: ${days.join(', ')}.`;
    throw new ToolFault(`No search results of keyword ${keywordId} are kept${query.date === undefined ? '' : ` on ${query.date}`}. ${known}`);
  }
}

async function compareWithBefore(api: Client, keywordId: number, date: string, top: number) {
  const params = { keywordId };
  const { items } = await api('GET /keywords/{keywordId}/serp/dates', { params, query: { from: addDays(date, -30), to: addDays(date, -1) } });
  const before = items
    .map((item) => item.date)
    .toSorted()
    .at(-1);
  if (before === undefined) return { date: null, entered: new Set<string>(), left: [] };
  const diff = await api('GET /keywords/{keywordId}/serp/diff', { params, query: { a: before, b: date, top } });
  const left = diff.left.slice(0, 10).map((item) => cut(item.name ?? item.storeAppId, 120));
  return { date: before, entered: new Set(diff.entered.map((item) => item.storeAppId)), left };
}
