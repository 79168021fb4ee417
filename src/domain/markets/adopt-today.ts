import { insertCells, listAnsweredWithoutCell, type AnsweredMarket, type MarketName } from '../../db/queries/markets.ts';
import { dayIndexInMonth, monthOf, type UtcDay } from '../../lib/dates.ts';
import { inSystem, type Services } from '../context.ts';
import type { StoreName } from '../ports.ts';
import { cellByte } from '../rankings/cells.ts';
import { unpackIds } from '../serps/packing.ts';

/**
 * A market is searched once a day, whoever follows it and whenever they begin. An app that is followed only after the
 * day's search gets its cell from the places that were kept of the answer. Where those cannot tell (more results
 * than were kept, and the app is not among them) there is no cell: the day stays unchecked and tomorrow's search decides.
 * What is written is a public fact; whether a workspace sees it is decided by the terms of its keywords.
 */
export async function adoptToday(
  services: Pick<Services, 'systemDb'>,
  input: { store: StoreName; listingId: number; names: MarketName[]; day: UtcDay },
): Promise<void> {
  const at = { month: monthOf(input.day), dayIndex: dayIndexInMonth(input.day) };
  await inSystem(services, async (tx) => {
    const answered = await listAnsweredWithoutCell(tx, { ...input, ...at });
    const decided = answered.flatMap((market) => {
      const position = positionAmong(market, input.listingId);
      return position === undefined ? [] : [{ marketId: market.marketId, cell: cellByte(position) }];
    });
    if (decided.length === 0) return;
    const { marketIds, cells } = { marketIds: decided.map((cell) => cell.marketId), cells: decided.map((cell) => cell.cell) };
    await insertCells(tx, { listingId: input.listingId, ...at, marketIds, cells });
  });
}

/** The place of a listing in a kept answer; null when all results were kept and it is none of them; undefined when unknown. */
export function positionAmong(answer: Pick<AnsweredMarket, 'ids' | 'resultCount'>, listingId: number): number | null | undefined {
  const ids = unpackIds(answer.ids);
  const index = ids.indexOf(listingId);
  if (index !== -1) return index + 1;
  return answer.resultCount <= ids.length ? null : undefined;
}
