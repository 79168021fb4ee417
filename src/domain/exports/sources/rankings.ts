import { daysBetween } from '../../../lib/dates.ts';
import { formatPosition } from '../../../lib/format-position.ts';
import { inTenant } from '../../context.ts';
import type { Cell } from '../../rankings/cell-list.ts';
import { listFollowed, type Followed } from '../../rankings/followed.ts';
import { readCells } from '../../rankings/read-cells.ts';
import { windowOf } from '../../rankings/window.ts';
import { chunk, sourceOf, type Columns, type ExportScope } from '../export-source.ts';

type RankingItem = Cell & { phrase: string; country: string };

const cellsPerPage = 2_000;

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
  item: { state: 'not_checked'; reason: string } | { state: 'ranked' | 'not_found'; position: number | null; depth: number },
): string {
  return item.state === 'not_checked' ? `not checked (${item.reason})` : formatPosition(item);
}

/** Every day of every live keyword, by keyword, newest day first; days without a check have their reason. */
async function* readPages({ ctx, app, from, to }: ExportScope): AsyncGenerator<RankingItem[]> {
  const window = windowOf(from, to);
  const keywords = await inTenant(ctx, (tx) => listFollowed(tx, ctx, app.id, {}));
  const perPage = Math.max(1, Math.floor(cellsPerPage / (daysBetween(from, to) + 1)));
  for (const part of chunk(keywords, perPage)) {
    const { items } = await inTenant(ctx, (tx) => readCells(tx, window, part, { hasGaps: true, after: null, limit: Number.MAX_SAFE_INTEGER }));
    const ofId = new Map<number, Followed>(part.map((keyword) => [keyword.id, keyword]));
    yield items
      .sort((a, b) => a.keywordId - b.keywordId)
      .map((cell) => {
        const { phrase, country } = ofId.get(cell.keywordId)!;
        return { ...cell, phrase, country };
      });
  }
}

export const rankings = sourceOf<RankingItem>({ columns, hasDays: true, pages: readPages });
