import { addDays, maxDay } from '#lib/dates.ts';
import {
  getCategoryRanks,
  type CategoryRanks,
} from '#domain/tracking/charts/get-category-ranks.ts';
import { sourceOf, type Columns, type ExportScope } from '../export-source.ts';
import { displayOf } from './rankings.ts';

type CategoryRank = CategoryRanks['items'][number];

const daysPerPage = 7;

const columns: Columns<CategoryRank> = {
  date: (item) => item.date,
  country: (item) => item.country,
  categoryId: (item) => item.category?.id ?? null,
  category: (item) => item.category?.name ?? null,
  chart: (item) => item.chart,
  state: (item) => item.state,
  position: (item) => (item.state === 'not_checked' ? null : item.position),
  depth: (item) => (item.state === 'not_checked' ? null : item.depth),
  positionDisplay: displayOf,
  reason: (item) => (item.state === 'not_checked' ? item.reason : null),
  checkedAt: (item) => (item.state === 'not_checked' ? null : item.checkedAt),
};

/**
 * The charts in which the app may be ranked, newest day first; days without a reading have their
 * reason.
 */
async function* readPages({ ctx, app, from, to }: ExportScope): AsyncGenerator<CategoryRank[]> {
  for (let last = to; last >= from; last = addDays(last, -daysPerPage)) {
    const first = maxDay(from, addDays(last, 1 - daysPerPage));
    yield (
      await getCategoryRanks(ctx, app.id, {
        from: first,
        to: last,
        fill: 'gaps',
        limit: Number.MAX_SAFE_INTEGER,
      })
    ).items;
  }
}

export const categoryRanks = sourceOf<CategoryRank>({ columns, hasDays: true, pages: readPages });
