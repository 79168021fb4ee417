import { z } from 'zod';
import { chartNames } from '#stores/profiles.ts';
import type { CallOutput } from '#client/http.ts';
import {
  anyCountryArgument,
  appIdArgument,
  cursorArgument,
  fromArgument,
  toArgument,
} from '../argument-schemas.ts';
import { notice, page, positionAtDepth } from '../common-schemas.ts';
import { defineTool } from '../tool.ts';
import {
  formatCheckedPosition,
  formatCount,
  lines,
  quote,
  storeTextNotice,
} from '../text-format.ts';

const ranksMax = 60;

const categoryRank = z.object({
  date: z.string(),
  country: z.string(),
  chart: z.string(),
  category: z.string().nullable().describe('null: all apps.'),
  ...positionAtDepth,
});

export const getCategoryRanks = defineTool({
  name: 'get_category_ranks',
  title: 'Chart positions',
  description: 'Positions of an app in top charts by day, country and category.',
  kind: 'read',
  input: z.strictObject({
    appId: appIdArgument,
    country: anyCountryArgument,
    chart: z.enum(chartNames).optional().describe('Default: all.'),
    from: fromArgument,
    to: toArgument,
    cursor: cursorArgument,
  }),
  output: z.object({ ranks: z.array(categoryRank), ...page, notice }),
  async run(api, { appId: id, ...query }) {
    const list = await api('GET /apps/{id}/category-ranks', {
      params: { id },
      query: { ...query, fill: 'gaps', limit: ranksMax },
    });
    const ranks = list.items.map(toCategoryRank);
    const text = lines(
      formatCount(ranks.length, list, 'chart positions', 'country, chart, from or to'),
      ranks.map(
        (row) =>
          `- ${row.date} ${row.country} ${row.chart}, ` +
          `${row.category === null ? 'all apps' : quote(row.category, 60)}: ` +
          formatCheckedPosition(row),
      ),
      storeTextNotice,
    );
    return {
      text,
      data: { ranks, total: list.total, nextCursor: list.nextCursor, notice: storeTextNotice },
    };
  },
});

function toCategoryRank(
  rank: CallOutput<'GET /apps/{id}/category-ranks'>['items'][number],
): z.output<typeof categoryRank> {
  const { date, country, chart, category } = rank;
  const name = category === null ? null : (category.name ?? category.id);
  const found =
    rank.state === 'not_checked'
      ? { position: null, depth: null }
      : { position: rank.position, depth: rank.depth };
  return { date, country, chart, category: name, ...found };
}
