import type { Tx } from '../../db/database.ts';
import {
  findFollowedApp,
  findFollowedKeyword,
  listFollowedKeywords,
  type KeywordFilter,
} from '../../db/queries/rank-months.ts';
import type { Ctx } from '../context.ts';
import { notFound } from '../errors.ts';
import { readerOfTerms, readTerms } from './terms.ts';
import type { FollowedMarket } from './visible.ts';

export interface Followed extends FollowedMarket {
  appId: number;
  phrase: string;
  country: string;
}

/** The live keywords of an app of this workspace, by id. Throws not_found for an app that is not here. */
export async function listFollowed(
  tx: Tx,
  ctx: Ctx,
  appId: number,
  filter: KeywordFilter,
): Promise<Followed[]> {
  const app = await findFollowedApp(tx, ctx.workspaceId, appId, ctx.clock.now());
  if (!app) throw notFound();
  const termsOf = readerOfTerms();
  return (await listFollowedKeywords(tx, app, filter)).map((row) => ({
    ...row,
    terms: termsOf(row.terms),
  }));
}

/** A live keyword of this workspace. Throws not_found. */
export async function getFollowed(tx: Tx, ctx: Ctx, keywordId: number): Promise<Followed> {
  const row = await findFollowedKeyword(tx, ctx.workspaceId, keywordId, ctx.clock.now());
  if (!row) throw notFound();
  return { ...row, terms: readTerms(row.terms) };
}
