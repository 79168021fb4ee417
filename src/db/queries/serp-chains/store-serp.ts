import { sql, type RawBuilder } from 'kysely';
import type { SerpLink } from './serp-chains.ts';

export interface SerpToStore {
  day: string;
  /** Examined positions. */
  depth: number;
  resultCount: number;
  ended: string;
  provider: string;
  language: string | null;
  storedIds: Buffer;
  strengths: Buffer;
  /** The same as the difference from the market's last results; null where that is no smaller. */
  link: SerpLink | null;
  /** Positions of the results that follow an ad; null where the provider shows none. */
  ads: number[] | null;
}

/**
 * Two parts of a statement that store results of the market in `due`. They are a difference only if
 * the market's last results are still those that they were compared with.
 */
export const storeSerp = (check: SerpToStore): RawBuilder<unknown> => sql`
  last as (
    insert into last_serps as l (market_id, on_date, depth, result_count, ended, provider,
      language, ids, strengths, ads, whole_on)
    select market_id, ${check.day}, ${check.depth}, ${check.resultCount}, ${check.ended},
      ${check.provider}, ${check.language}, ${check.storedIds}::bytea, ${check.strengths}::bytea,
      ${check.ads}::smallint[], ${check.day}
    from due
    on conflict (market_id) do update set on_date = excluded.on_date, depth = excluded.depth,
      result_count = excluded.result_count, ended = excluded.ended,
      provider = excluded.provider, language = excluded.language, ids = excluded.ids,
      strengths = excluded.strengths, ads = excluded.ads,
      whole_on = case when l.xmin::text = ${check.link?.lastVersion ?? null}
        then ${check.link?.wholeOn ?? null}::date else excluded.whole_on end
    returning market_id, ${check.day}::date > whole_on as is_linked
  ), kept as (
    insert into serps as p (market_id, on_date, depth, result_count, ended, provider, language,
      ads, ids, strengths, whole_on)
    select market_id, ${check.day}, ${check.depth}, ${check.resultCount}, ${check.ended},
      ${check.provider}, ${check.language}, ${check.ads}::smallint[],
      case when is_linked then ${check.link?.ids ?? null}::bytea
        else ${check.storedIds}::bytea end,
      case when is_linked then ${check.link?.strengths ?? null}::bytea
        else ${check.strengths}::bytea end,
      case when is_linked then ${check.link?.wholeOn ?? null}::date end
    from last
    on conflict (market_id, on_date) do update set depth = excluded.depth,
      result_count = excluded.result_count, ended = excluded.ended,
      provider = excluded.provider, language = excluded.language, ads = excluded.ads,
      ids = excluded.ids, strengths = excluded.strengths, whole_on = excluded.whole_on
  )`;
