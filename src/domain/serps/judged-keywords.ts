import type { Tx } from '../../db/database.ts';
import { findFollowedApp, type FollowedApp } from '../../db/queries/rank-months.ts';
import {
  listJudgedKeywords,
  type JudgedKeyword as JudgedRow,
} from '../../db/queries/serp-history.ts';
import { addDays, utcDayOf, type UtcDay } from '../../lib/dates.ts';
import type { Ctx } from '../context.ts';
import { notFound } from '../errors.ts';
import { readerOfTerms, termDepthOn, type Term } from '../rankings/terms.ts';

export interface JudgedKeyword extends Omit<JudgedRow, 'terms' | 'traffic'> {
  terms: readonly Term[];
  /** 0–100; null without a score, or with one made from a day on which the workspace did not follow the market. */
  traffic: number | null;
}

/** A keyword on a day. */
export interface Spot {
  keyword: JudgedKeyword;
  date: UtcDay;
}

/** A newest cell older than this says nothing about how an app stands, here as in the overview. */
const standingDays = 3;

/** The live keywords of an app of this workspace, paused ones too, by id. Throws not_found for an app that is not here. */
export async function readJudgedKeywords(
  tx: Tx,
  ctx: Pick<Ctx, 'workspaceId' | 'clock'>,
  appId: number,
  filter: { country?: string | undefined; keywordId?: number | undefined } = {},
): Promise<{ app: FollowedApp; keywords: JudgedKeyword[] }> {
  const app = await findFollowedApp(tx, ctx.workspaceId, appId, ctx.clock.now());
  if (!app) throw notFound();
  const rows = await listJudgedKeywords(tx, ctx.workspaceId, { appId, ...filter });
  const termsOf = readerOfTerms();
  return { app, keywords: rows.map((row) => toJudged(row, termsOf(row.terms))) };
}

function toJudged({ traffic, ...row }: JudgedRow, terms: readonly Term[]): JudgedKeyword {
  return {
    ...row,
    terms,
    traffic: traffic && termDepthOn(terms, traffic.observedOn) ? traffic.score : null,
  };
}

/** Keywords that are followed now and were checked within three days, each on the day of its newest cell. */
export function standingSpots(keywords: readonly JudgedKeyword[], now: Date): Spot[] {
  const since = addDays(utcDayOf(now), -standingDays);
  return keywords.flatMap((keyword) =>
    keyword.paused || keyword.latestOn === null || keyword.latestOn < since
      ? []
      : [{ keyword, date: keyword.latestOn }],
  );
}
