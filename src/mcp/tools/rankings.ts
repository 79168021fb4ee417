import { z } from 'zod';
import type { CallOutput, Client } from '#client/http.ts';
import { addDays, startOfDayMs } from '#lib/dates.ts';
import { readProviderFacts } from '../provider-facts.ts';
import { requestAll } from '../request-all.ts';
import { formatMover, formatNotComparable, moverKinds, moverRow, toMoverRow } from '../movers.ts';
import {
  anyCountryArgument,
  anyDeviceArgument,
  appIdArgument,
  cursorArgument,
  dayArgument,
  fromArgument,
  keywordIdsArgument,
  limitArgument,
  toArgument,
} from '../argument-schemas.ts';
import { device, page } from '../common-schemas.ts';
import { defineTool, ToolError } from '../tool.ts';
import { lines, formatCheckedPosition, formatCount, formatMarket } from '../text-format.ts';
import { getCategoryRanks } from './charts.ts';
import { getSearchResults } from './search-results.ts';
import { getVisibility } from './visibility.ts';

/** Rows × days of one response, about 8,000 tokens. */
const maxCells = 700;

type Matrix = CallOutput<'GET /apps/{id}/rankings/matrix'>;

const rankingRow = z.object({
  keywordId: z.int(),
  phrase: z.string(),
  country: z.string(),
  device,
  cells: z
    .array(z.union([z.int(), z.null(), z.literal('-')]))
    .describe('By dates: position; null: not found within depths; -: not checked.'),
  depths: z.array(z.int().nullable()),
  providers: z.array(z.string()).nullable(),
});

const getRankings = defineTool({
  name: 'get_rankings',
  title: 'Positions by day',
  description:
    'Positions by day, or by the latest check of each week, of keywordIds or page by page.',
  kind: 'read',
  input: z.strictObject({
    appId: appIdArgument,
    keywordIds: keywordIdsArgument(20).optional(),
    country: anyCountryArgument,
    device: anyDeviceArgument,
    from: fromArgument,
    to: toArgument,
    granularity: z.enum(['day', 'week']).default('day').describe('A column each.'),
    limit: limitArgument.default(20),
    cursor: cursorArgument,
  }),
  output: z.object({ dates: z.array(z.string()), rows: z.array(rankingRow), ...page }),
  async run(
    api,
    {
      appId: id,
      keywordIds: ids,
      country: market,
      device: on,
      from,
      to,
      granularity,
      limit: pageLimit,
      cursor: after,
    },
  ) {
    const filter = { country: market, device: on };
    const paging = { ...filter, limit: pageLimit, cursor: after };
    const asked = ids
      ? await parsePhrases(api, id, ids, filter)
      : await pagePhrases(api, id, paging);
    // No keyword has the id 0, so this returns only the days.
    const query = {
      from,
      to,
      keywordIds: asked.items.map((item) => item.keywordId).join() || '0',
    };
    const whole = await api('GET /apps/{id}/rankings/matrix', { params: { id }, query });
    const matrix = granularity === 'week' ? byWeek(whole) : whole;
    const { dates } = matrix;
    const most = Math.max(1, Math.floor(maxCells / Math.max(1, dates.length)));
    const isTooMuch = asked.items.length > most;
    if (ids && isTooMuch)
      throw new ToolError(
        `${ids.length} keywords × ${dates.length} days are too many; at most ${most} ` +
          'keywords, or granularity week.',
      );
    // The number of days is known now. A shorter page ends where the next one begins.
    const list = isTooMuch ? await pagePhrases(api, id, { ...paging, limit: most }) : asked;
    const cells = new Map(matrix.rows.map((row) => [row.keywordId, row]));
    // A keyword without a row is no longer tracked, which differs from not checked.
    const found = list.items.flatMap((item): RankingRow[] => {
      const row = cells.get(item.keywordId);
      return row ? [{ ...item, cells: row.cells, depths: row.depths, providers: null }] : [];
    });
    const rows = ids ? await addProviders(api, found, whole.dates) : found;
    const text = lines(
      `${formatCount(rows.length, list, 'keywords', 'keywordIds, country or device')}, ` +
        `${dates.at(0) ?? 'no day'} to ` +
        `${dates.at(-1) ?? 'no day'}${granularity === 'week' ? ', newest check of each week' : ''}`,
      rows.map(
        (row) =>
          `${row.keywordId} · ${formatMarket(row)}: ${formatRow(dates, row)}` +
          `${row.providers?.length ? ` [${row.providers.join('; ')}]` : ''}`,
      ),
      ids === undefined && 'Search providers of positions are shown with keywordIds.',
      '– is not checked: nothing is known about that day.',
    );
    return { text, data: { dates, rows, total: list.total, nextCursor: list.nextCursor } };
  },
});

type RankingRow = z.output<typeof rankingRow>;

async function addProviders(
  api: Client,
  rows: readonly RankingRow[],
  dates: readonly string[],
): Promise<RankingRow[]> {
  const [from, to] = [dates.at(0), dates.at(-1)];
  if (from === undefined || to === undefined) return [...rows];
  const ids = rows.map(({ keywordId }) => keywordId);
  const facts = await readProviderFacts(api, ids, { from, to });
  return rows.map((row) => ({ ...row, providers: facts.get(row.keywordId) ?? [] }));
}

interface Filter {
  country: string | undefined;
  device: string | undefined;
}

type Paging = Filter & { limit: number; cursor: string | undefined };

async function pagePhrases(api: Client, id: number, query: Paging) {
  const { items, total, nextCursor } = await api('GET /apps/{id}/keywords', {
    params: { id },
    query,
  });
  return { items: items.map(toPhrase), total, nextCursor };
}

type Keyword = CallOutput<'GET /apps/{id}/keywords'>['items'][number];

function toPhrase({
  id: keywordId,
  phrase,
  country: market,
  device: on,
}: Pick<Keyword, 'id' | 'phrase' | 'country' | 'device'>) {
  return { keywordId, phrase, country: market, device: on };
}

async function parsePhrases(api: Client, id: number, ids: readonly number[], filter: Filter) {
  const found = await requestAll(
    [...new Set(ids)].map((keywordId) =>
      api('GET /keywords/{keywordId}', { params: { keywordId } }),
    ),
  );
  const strange = found.find((keyword) => keyword.appId !== id);
  if (strange)
    throw new ToolError(`Keyword ${strange.id} belongs to app ${strange.appId}, not to app ${id}.`);
  for (const [name, word] of [['country', 'in'] as const, ['device', 'on'] as const]) {
    const asked = filter[name];
    const other = found.find((keyword) => asked !== undefined && keyword[name] !== asked);
    if (other)
      throw new ToolError(
        `Keyword ${other.id} is tracked ${word} ${other[name]}, not ${word} ${asked}. Leave ` +
          `${name} out.`,
      );
  }
  const items = found.map(toPhrase);
  return { items, total: items.length, nextCursor: null };
}

/** The latest checked day of each week from Monday; a week without a check is not checked. */
function byWeek(matrix: Matrix): Matrix {
  const mondays = [...new Set(matrix.dates.map(mondayOf))];
  const weeks = mondays.map((monday) =>
    matrix.dates.flatMap((date, at) => (mondayOf(date) === monday ? [at] : [])).toReversed(),
  );
  const rows = matrix.rows.map(({ keywordId, cells, depths }) => {
    const newest = weeks.map((days) => days.find((at) => cells[at] !== '-') ?? days[0]!);
    return {
      keywordId,
      cells: newest.map((at) => cells[at]!),
      depths: newest.map((at) => depths[at]!),
    };
  });
  return { ...matrix, dates: mondays, rows };
}

function mondayOf(date: string): string {
  return addDays(date, -((new Date(startOfDayMs(date)).getUTCDay() + 6) % 7));
}

/**
 * `06-01: 7 | 06-02: >200 (checked, not found) | 06-03: –`. A repeated value appears once, with its
 * first and last day.
 */
function formatRow(
  dates: readonly string[],
  { cells, depths }: Pick<RankingRow, 'cells' | 'depths'>,
): string {
  const runs: { from: string; to: string; text: string }[] = [];
  for (const [at, date] of dates.entries()) {
    const position = cells[at]!;
    const value = position === '-' ? '–' : formatCheckedPosition({ position, depth: depths[at]! });
    const last = runs.at(-1);
    if (last?.text === value) last.to = date;
    else runs.push({ from: date, to: date, text: value });
  }
  return runs
    .map(({ from, to, text }) => `${from.slice(5)}${from === to ? '' : `…${to.slice(5)}`}: ${text}`)
    .join(' | ');
}

const comparePeriods = defineTool({
  name: 'compare_periods',
  title: 'Compare two days',
  description:
    'Moves between two days, by the latest check at each, at most 3 days older, within the depth ' +
    'of both.',
  kind: 'read',
  input: z.strictObject({
    appId: appIdArgument,
    from: dayArgument.describe('Earlier.'),
    to: dayArgument.describe('Later.'),
    country: anyCountryArgument,
    device: anyDeviceArgument,
    limit: limitArgument.default(10).describe('Per kind.'),
  }),
  output: z.object({
    from: z.string(),
    to: z.string(),
    moved: z.array(moverRow),
    notComparable: z.int(),
  }),
  async run(api, { appId: id, ...query }) {
    const all = await api('GET /apps/{id}/rankings/movers', { params: { id }, query });
    const { from, to, notComparable } = all;
    const counts = moverKinds
      .map(
        (kind) =>
          `${all[kind].length}${all[kind].length === query.limit ? ' or more' : ''} ${kind}`,
      )
      .join(', ');
    const moved = moverKinds.flatMap((kind) => all[kind].map((row) => toMoverRow(kind, row)));
    return {
      text: lines(
        `From ${from} to ${to}, ${all.compared} keywords compared: ${counts}.`,
        moved.map((row) => `- ${formatMover(row)}`),
        formatNotComparable(all),
      ),
      data: { from, to, moved, notComparable },
    };
  },
});

export const rankingTools = [
  getRankings,
  comparePeriods,
  getSearchResults,
  getVisibility,
  getCategoryRanks,
];
