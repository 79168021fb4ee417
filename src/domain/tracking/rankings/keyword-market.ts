import { findMarketOfKeyword } from '#db/queries/rankings/markets.ts';
import type { Tx } from '#db/database.ts';
import type { Ctx } from '#domain/base/context.ts';
import { notFound } from '#domain/base/errors.ts';
import type { StoreName } from '#domain/base/ports.ts';
import type { UtcDay } from '#lib/dates.ts';

export interface KeywordMarket {
  store: StoreName;
  phrase: string;
  country: string;
  device: string;
  depth: number;
  appId: number;
  storeAppId: string;
  /** The provider of the day's positions. */
  provider: string;
}

/** The search behind a live keyword of this workspace. Throws not_found. */
export async function getMarketOf(
  tx: Tx,
  ctx: Ctx,
  keywordId: number,
  day: UtcDay,
): Promise<KeywordMarket> {
  const market = await findMarketOfKeyword(tx, ctx.workspaceId, { keywordId, day });
  if (market === undefined) throw notFound();
  return market;
}
