import type { ChoreRow } from '../../db/queries/chores.ts';
import type { UtcDay } from '../../lib/dates.ts';
import { readChart } from '../charts/read-chart.ts';
import { choreKinds, type ChoreKind, type StoreRequestOptions } from '../ports.ts';
import type { CheckServices } from '../rankings/check-market.ts';
import { syncReviews } from '../reviews/sync-reviews.ts';
import { readHints } from '../scores/read-hints.ts';
import { readPage } from './read-page.ts';

/** Does a chore for a day and keeps what it says. Throws StoreError when the store did not answer. */
export type ChoreWork = (
  services: CheckServices,
  chore: ChoreRow,
  day: UtcDay,
  options: StoreRequestOptions,
) => Promise<{
  /** What the store was asked for this chore; what it would be asked again is learned from it. */
  requests: number;
}>;

export interface ChoreHandler {
  work: ChoreWork;
  /** When the day does it: 1 first. */
  turn: 1 | 2 | 3;
}

/** The table of chores. */
export const choreTable: Record<ChoreKind, ChoreHandler> = {
  reviews: { work: syncReviews, turn: 1 },
  page: { work: readPage, turn: 1 },
  chart: { work: readChart, turn: 2 },
  hints: { work: readHints, turn: 3 },
};

/** The kinds in the order of a day. */
export const turns: readonly (readonly ChoreKind[])[] = [1, 2, 3].map((turn) =>
  choreKinds.filter((kind) => choreTable[kind].turn === turn),
);
