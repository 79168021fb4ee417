import { listMarketGaps } from '../../../db/queries/market-gaps.ts';
import { formatPosition } from '../../../lib/format-position.ts';
import { inTenant } from '../../context.ts';
import { listSpots, toCells, type Cell } from '../../rankings/cell-list.ts';
import { listFollowed } from '../../rankings/followed.ts';
import { readExaminedDays, readVisibleRows } from '../../rankings/read-visible.ts';
import { windowOf } from '../../rankings/window.ts';
import { chunk, sourceOf, type Columns, type ExportScope } from '../export-source.ts';

type RankingItem = Cell & { phrase: string; country: string };

const keywordsPerRead = 50;
/** Few enough that they are gone before the collector looks a second time: what stays longer is kept for long. */
const cellsPerPage = 25;

const columns: Columns<RankingItem> = {
  date: (item) => item.date,
  keywordId: (item) => item.keywordId,
  phrase: (item) => item.phrase,
  country: (item) => item.country,
  state: (item) => item.state,
  position: (item) => (item.state === 'not_checked' ? null : item.position),
  depth: (item) => (item.state === 'not_checked' ? null : item.depth),
  positionDisplay: displayOf,
  reason: (item) => (item.state === 'not_checked' ? item.reason : null),
  checkedAt: (item) => (item.state === 'not_checked' ? null : item.checkedAt),
};

/** `3`, `>200`, or `not checked (shed)`: nobody reads an empty cell as a place. */
export function displayOf(
  item:
    | { state: 'not_checked'; reason: string }
    | { state: 'ranked' | 'not_found'; position: number | null; depth: number },
): string {
  return item.state === 'not_checked' ? `not checked (${item.reason})` : formatPosition(item);
}

/**
 * Every day of every live keyword, by keyword, newest day first; days without a check have their reason. Of the keywords
 * read at once only the packed days are held: cells are made a few at a time.
 */
async function* readPages({
  ctx,
  app,
  from,
  to,
  withArchived,
}: ExportScope): AsyncGenerator<RankingItem[]> {
  const window = windowOf(from, to);
  const keywords = await inTenant(ctx, (tx) => listFollowed(tx, ctx, app.id, { withArchived }));
  for (const part of chunk(keywords, keywordsPerRead)) {
    const { rows, examined, gaps } = await inTenant(ctx, async (tx) => ({
      rows: await readVisibleRows(tx, window, part),
      examined: await readExaminedDays(tx, part, window.days),
      gaps: await listMarketGaps(tx, { marketIds: part.map(({ marketId }) => marketId), from, to }),
    }));
    const gapsOf = Map.groupBy(gaps, ({ marketId }) => marketId);
    for (const [index, row] of rows.entries()) {
      const { phrase, country } = part[index]!;
      const { spots } = listSpots(window.days, [row], {
        hasGaps: true,
        after: null,
        limit: window.days.length,
      });
      const known = { examined, gaps: gapsOf.get(row.marketId) ?? [] };
      for (const page of chunk(spots, cellsPerPage)) {
        yield toCells(window.days, page, known).map((cell) =>
          Object.assign(cell, { phrase, country }),
        );
      }
    }
  }
}

export const rankings = sourceOf<RankingItem>({ columns, hasDays: true, pages: readPages });
