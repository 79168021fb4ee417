import { z } from 'zod';
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

export const chartName = z.enum(['free', 'paid', 'grossing']).meta({ id: 'ChartName' });
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
const place = z
  .int()
  .min(1)
  .max(200)
  .nullable()
  .meta({ description: '1 is the top of the chart; null: read, and not within `depth`. Never 0.' });
const places = z.int().min(1).max(200).meta({ description: 'Places the store showed.' });
const reason = z.enum(['shed', 'store_error', 'not_yet_run']).meta({ id: 'ChartGapReason' });

const where = { country, category, chart: chartName };
const readCell = z
  .strictObject({
    date: utcDay,
    ...where,
    state: z.enum(['ranked', 'not_found']),
    position: place,
    depth: places,
    checkedAt: instant,
  })
  .meta({ id: 'CategoryRank' });
const gapCell = z
  .strictObject({ date: utcDay, ...where, state: z.literal('not_checked'), reason })
  .meta({ id: 'CategoryRankGap' });
const pair = z.strictObject({ date: utcDay, position: place, depth: places });

const pivotCell = z
  .union([
    z.strictObject({
      state: z.enum(['ranked', 'not_found']),
      position: place,
      depth: places,
      change: z
        .int()
        .nullable()
        .meta({
          description:
            'Places gained (positive) or lost; null where one of the two days has no place to compare.',
        }),
      before: pair
        .nullable()
        .meta({ description: 'The nearest day read before, at most 3 days earlier.' }),
    }),
    z.strictObject({ state: z.literal('not_checked'), reason }),
  ])
  .meta({ id: 'CategoryPivotCell' });

const keptChart = z.strictObject({
  store: storeName,
  ...where,
  date: utcDay,
  items: z.array(serpItem),
});

export const charts = operationsOf({
  'GET /apps/{id}/category-ranks': {
    summary: 'Where an app stands in the charts of its countries',
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
    responses: { 200: listOf(z.union([readCell, gapCell])) },
  },
  'GET /apps/{id}/category-ranks/pivot': {
    summary: 'A day’s category ranks, countries by charts, with the change against the day before',
    rateClass: 'read',
    readOnlyToken: true,
    params: idParam,
    query: z.strictObject({ date: utcDay.optional() }),
    responses: {
      200: z.strictObject({
        date: utcDay,
        columns: z.array(z.strictObject({ category, chart: chartName })),
        rows: z.array(z.strictObject({ country, cells: z.array(pivotCell.nullable()) })),
      }),
    },
  },
  'GET /charts': {
    summary: 'A top chart that an app of this workspace may stand in, as kept',
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
            ...keptChart.shape,
            state: z.literal('read'),
            depth: places,
            readAt: instant,
          })
          .meta({ id: 'KeptChart' }),
        z
          .strictObject({ ...keptChart.shape, state: z.literal('not_checked'), reason })
          .meta({ id: 'ChartGap' }),
      ]),
    },
  },
});
