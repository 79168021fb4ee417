import { z } from 'zod';
import { chartNames } from '#stores/profiles.ts';
import {
  country,
  dayRange,
  idParam,
  instant,
  integerText,
  listOf,
  paging,
  storeName,
  utcDay,
} from './common.ts';
import { operationsOf } from './operation.ts';
import { serpItem } from './serp.ts';

export const chartName = z.enum(chartNames).meta({ id: 'ChartName' });
const categoryId = z
  .string()
  .regex(/^\w{1,60}$/, 'a category by the store’s own id')
  .meta({
    id: 'CategoryId',
    description: 'The store’s own id; see GET /store/categories.',
    example: '6013',
  });
const category = z
  .strictObject({ id: categoryId, name: z.string().nullable() })
  .nullable()
  .meta({ id: 'ChartCategory', description: 'Null: the chart of all apps.' });
const position = z
  .int()
  .min(1)
  .max(200)
  .nullable()
  .meta({ description: '1 is the top of the chart; null: read, and not within `depth`. Never 0.' });
const positions = z
  .int()
  .min(1)
  .max(200)
  .meta({ description: 'The number of positions that the store showed.' });
const reason = z.enum(['shed', 'store_error', 'not_yet_run']).meta({ id: 'ChartGapReason' });

const where = { country, category, chart: chartName };
export const categoryRank = z
  .strictObject({
    date: utcDay,
    ...where,
    state: z.enum(['ranked', 'not_found']),
    position: position,
    depth: positions,
    checkedAt: instant,
  })
  .meta({ id: 'CategoryRank' });
const dailyRankGap = z
  .strictObject({ date: utcDay, ...where, state: z.literal('not_checked'), reason })
  .meta({ id: 'CategoryRankGap' });
const pair = z.strictObject({ date: utcDay, position: position, depth: positions });

const pivotPosition = z
  .union([
    z.strictObject({
      state: z.enum(['ranked', 'not_found']),
      position: position,
      depth: positions,
      change: z.int().nullable().meta({
        description:
          'Positions gained (positive) or lost (negative); null when one of the two days has none.',
      }),
      before: pair
        .nullable()
        .meta({ description: 'The nearest earlier day with a chart, at most 3 days back.' }),
    }),
    z.strictObject({ state: z.literal('not_checked'), reason }),
  ])
  .meta({ id: 'CategoryPivotPosition' });

const storedChart = z.strictObject({
  store: storeName,
  ...where,
  date: utcDay,
  items: z.array(serpItem),
});

export const charts = operationsOf({
  'GET /apps/{id}/category-ranks': {
    summary: 'List category ranks',
    description:
      'Lists the positions of the app in top charts, by day, country, category and chart.',
    rateClass: 'read',
    readOnlyToken: true,
    params: idParam,
    query: z.strictObject({
      ...paging,
      ...dayRange,
      country: country.optional(),
      chart: chartName.optional(),
      fill: z.literal('gaps').optional(),
    }),
    responses: { 200: listOf(z.union([categoryRank, dailyRankGap])) },
  },
  'GET /apps/{id}/category-ranks/pivot': {
    summary: 'Get category ranks of a day',
    description:
      'Returns countries by charts for one day, with the change since the reading before, at ' +
      'most 3 days earlier.',
    rateClass: 'read',
    readOnlyToken: true,
    params: idParam,
    query: z.strictObject({ date: utcDay.optional() }),
    responses: {
      200: z.strictObject({
        date: utcDay,
        columns: z.array(z.strictObject({ category, chart: chartName })),
        rows: z.array(z.strictObject({ country, cells: z.array(pivotPosition.nullable()) })),
      }),
    },
  },
  'GET /charts': {
    summary: 'Get a stored top chart',
    description:
      'Returns the stored top chart of a day, for charts in which an app of this ' +
      'workspace may be ranked.',
    rateClass: 'read',
    readOnlyToken: true,
    query: z.strictObject({
      store: storeName,
      country,
      category: categoryId.optional(),
      chart: chartName.default('free'),
      date: utcDay.optional(),
      limit: integerText(1, 200).default(200),
    }),
    responses: {
      200: z.union([
        z
          .strictObject({
            ...storedChart.shape,
            state: z.literal('read'),
            depth: positions,
            readAt: instant,
          })
          .meta({ id: 'StoredChart' }),
        z
          .strictObject({ ...storedChart.shape, state: z.literal('not_checked'), reason })
          .meta({ id: 'ChartGap' }),
      ]),
    },
  },
});
