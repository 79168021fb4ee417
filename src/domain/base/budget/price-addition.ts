import type { Tx } from '#db/database.ts';
import {
  listDemand,
  type DemandRow,
  type HypotheticalKeyword,
} from '#db/queries/budget/budgets.ts';
import {
  listKnownDemand,
  listSearchedDepths,
  type UnseenKeyword,
} from '#db/queries/budget/known-demand.ts';
import { utcDayOf } from '#lib/dates.ts';
import type { Ctx } from '../context.ts';

type Scope = Pick<Ctx, 'workspaceId' | 'clock'>;

/** The demand of so many markets is computed in about ten milliseconds. */
const leastKnownMarkets = 2_000;

export interface AdditionDemand {
  before: DemandRow[];
  /** The addition, if its price follows from the kept sums; otherwise all markets are read. */
  unseen: UnseenKeyword[] | undefined;
}

/** The cost of the workspace's day before an addition, and how to compute the cost after it. */
export async function readDemandBefore(
  tx: Tx,
  scope: Scope,
  added: readonly HypotheticalKeyword[],
): Promise<AdditionDemand> {
  const unseen = await listUnseen(tx, scope, added);
  const before = unseen
    ? await listKnownDemand(tx, scope.workspaceId, [])
    : await listDemand(tx, scope.workspaceId, { today: utcDayOf(scope.clock.now()) });
  return { before, unseen };
}

/** The cost of the workspace's day after an addition that is not written yet. */
export async function readDemandAfter(
  tx: Tx,
  { workspaceId, clock }: Scope,
  { added, unseen }: { added: HypotheticalKeyword[] } & Pick<AdditionDemand, 'unseen'>,
): Promise<DemandRow[]> {
  return unseen
    ? listKnownDemand(tx, workspaceId, unseen)
    : listDemand(tx, workspaceId, { today: utcDayOf(clock.now()), added });
}

/**
 * Undefined for a workspace whose sums are not known, and for keywords that change the share of a
 * market in them: a deeper search, or a restored keyword with results.
 */
export async function listUnseen(
  tx: Tx,
  { workspaceId, clock }: Scope,
  added: readonly HypotheticalKeyword[],
  leastMarkets = leastKnownMarkets,
): Promise<UnseenKeyword[] | undefined> {
  const marketIds = added.map(({ marketId }) => marketId);
  const today = utcDayOf(clock.now());
  const depths = await listSearchedDepths(tx, workspaceId, { marketIds, leastMarkets, today });
  const isUnseen = ({ marketId, depth, seen }: HypotheticalKeyword) =>
    !seen && depth <= (depths?.get(marketId) ?? depth);
  if (!depths || !added.every(isUnseen)) return undefined;
  return added.map((keyword) => ({ ...keyword, isSearched: depths.has(keyword.marketId) }));
}
