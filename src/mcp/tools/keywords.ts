import { z } from 'zod';
import type { CallOutput } from '#client/http.ts';
import {
  anyCountryArgument,
  anyDeviceArgument,
  appIdArgument,
  cursorArgument,
  firstDeviceArgument,
  limitArgument,
  primaryCountryArgument,
} from '../argument-schemas.ts';
import { device, notice, page, positionAtDepth } from '../common-schemas.ts';
import { defineTool } from '../tool.ts';
import {
  cut,
  lines,
  quote,
  storeTextNotice,
  formatCount,
  formatMarket,
  formatGain,
  formatCheckedPosition,
} from '../text-format.ts';
import { trackedKeywordTools } from './tracked-keywords.ts';

const score = z.int().nullable();
const sorts = [
  'phrase',
  'position',
  '-position',
  'change7d',
  '-change7d',
  '-traffic',
  'difficulty',
  '-opportunity',
] as const;

const listKeywords = defineTool({
  name: 'list_keywords',
  title: 'List keywords',
  description:
    'Keywords of an app: latest position, 7-day change, scores; `-opportunity`: best first.',
  kind: 'read',
  input: z.strictObject({
    appId: appIdArgument,
    country: anyCountryArgument,
    device: anyDeviceArgument,
    query: z.string().optional().describe('Part of the phrase.'),
    tag: z.string().optional().describe('With this tag.'),
    state: z
      .enum(['ranked', 'not_found', 'not_checked', 'paused', 'favorite'])
      .optional()
      .describe('Default: all.'),
    sort: z.enum(sorts).default('phrase').describe('- is descending.'),
    limit: limitArgument.default(25),
    cursor: cursorArgument,
  }),
  output: z.object({
    keywords: z.array(
      z.object({
        keywordId: z.int(),
        phrase: z.string(),
        country: z.string(),
        device,
        ...positionAtDepth,
        checkedOn: z.string().nullable(),
        change7d: z.int().nullable(),
        traffic: score,
        difficulty: score,
        opportunity: score,
        ranges: z.string().nullable(),
        paused: z.boolean(),
      }),
    ),
    ...page,
  }),
  async run(api, { appId: id, query, ...rest }) {
    const list = await api('GET /apps/{id}/keywords', {
      params: { id },
      query: { ...rest, q: query },
    });
    const keywords = list.items.map(toKeywordRow);
    const text = lines(
      formatCount(
        keywords.length,
        list,
        'keywords (id · phrase · position)',
        'country, device, query, tag or state',
      ),
      keywords.map(formatKeyword),
    );
    return { text, data: { keywords, total: list.total, nextCursor: list.nextCursor } };
  },
});

type KeywordRow = CallOutput<'GET /apps/{id}/keywords'>['items'][number];

function toKeywordRow(row: KeywordRow) {
  const { id, phrase, latest, traffic, difficulty, opportunity, paused } = row;
  return {
    keywordId: id,
    phrase,
    country: row.country,
    device: row.device,
    position: latest?.position ?? null,
    depth: latest?.depth ?? null,
    checkedOn: latest?.date ?? null,
    change7d: row.change7d.positionsGained,
    traffic,
    difficulty,
    opportunity,
    ranges: formatRanges(row),
    paused,
  };
}

const formatRange = (range: { low: number; high: number } | null): string | null =>
  range && `${range.low}–${range.high}`;

/** Where scores with low confidence probably are; null when there are none. */
function formatRanges({ trafficRange, difficultyRange }: KeywordRow): string | null {
  const ranges = [
    trafficRange && `traffic ${formatRange(trafficRange)}`,
    difficultyRange && `difficulty ${formatRange(difficultyRange)}`,
  ].filter((range) => range !== null);
  return ranges.length === 0 ? null : ranges.join(', ');
}

function formatKeyword(row: ReturnType<typeof toKeywordRow>): string {
  const on = row.checkedOn === null ? '' : ` on ${row.checkedOn}`;
  const gain = row.change7d === null ? '' : ` (7 d: ${formatGain(row.change7d)})`;
  const scores = [
    `traffic ${row.traffic ?? '–'}`,
    `difficulty ${row.difficulty ?? '–'}`,
    `opportunity ${row.opportunity ?? '–'}`,
  ].join(', ');
  return (
    `${row.keywordId} · ${formatMarket(row)} · ` +
    `${formatCheckedPosition(row)}${on}${gain} · ${scores}` +
    `${row.ranges === null ? '' : ` (low confidence: ${row.ranges})`}` +
    `${row.paused ? ' · paused' : ''}`
  );
}

const suggestKeywords = defineTool({
  name: 'suggest_keywords',
  title: 'Suggest keywords',
  description: 'Phrases worth tracking. Queries the store up to 3 times. Hourly allowance.',
  kind: 'read',
  queriesStore: true,
  input: z.strictObject({
    appId: appIdArgument,
    country: primaryCountryArgument,
    device: firstDeviceArgument,
    phrase: z.string().optional().describe('Their start.'),
    includeStore: z.boolean().default(true).describe('false: stored only.'),
    limit: limitArgument.default(25),
  }),
  apiNames: { source: 'includeStore' },
  output: z.object({
    suggestions: z.array(
      z.object({
        phrase: z.string(),
        source: z.string(),
        tracked: z.boolean(),
        traffic: score,
        range: z.string().nullable(),
        published: score.describe('By the store.'),
        publishedAtMost: score.describe('Where unlisted.'),
      }),
    ),
    total: z.int().nullable(),
    unavailable: z.string().nullable(),
    notice,
  }),
  async run(api, { appId: id, includeStore, ...query }) {
    const source = includeStore ? undefined : 'listing,competitors,serp';
    const list = await api('GET /apps/{id}/keyword-suggestions', {
      params: { id },
      query: { ...query, source },
    });
    const suggestions = list.items.map((item) => ({
      phrase: cut(item.phrase, 100),
      source: item.source,
      tracked: item.alreadyTracked,
      traffic: item.estTraffic,
      range: formatRange(item.estTrafficRange),
      published: item.published?.popularity ?? null,
      publishedAtMost: item.published?.atMost ?? null,
    }));
    const away = list.unavailable[0];
    const retry = away && away.retryAfterSeconds !== null;
    const unavailable = away
      ? `${away.source}: ${away.reason}${retry ? `, retry in ${away.retryAfterSeconds} s` : ''}`
      : null;
    const rows = suggestions.map(
      (row) =>
        `- ${quote(row.phrase, 100)} · ${row.source}` +
        `${row.traffic === null ? '' : ` · traffic ${row.range ?? row.traffic}`}` +
        `${row.published === null ? '' : ` · published ${row.published}`}` +
        `${row.publishedAtMost === null ? '' : ` · published at most ${row.publishedAtMost}`}` +
        `${row.tracked ? ' · tracked already' : ''}`,
    );
    const text = lines(
      formatCount(
        suggestions.length,
        list,
        'suggestions (phrase · strongest source)',
        'phrase, or raise limit',
      ),
      unavailable && `Incomplete: ${unavailable}`,
      rows,
      storeTextNotice,
    );
    return { text, data: { suggestions, total: list.total, unavailable, notice: storeTextNotice } };
  },
});

export const keywordTools = [listKeywords, suggestKeywords, ...trackedKeywordTools];
