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
 * Two parts of a statement that store the results in `due`. Results are a difference only if the
 * market's last ones are still those that they were compared with.
 */
export const storeSerps = (day: string): RawBuilder<unknown> => sql`
  last as (
    insert into last_serps as l (market_id, on_date, depth, result_count, ended, provider,
      language, ids, strengths, ads, whole_on)
    select market_id, ${day}, depth, result_count, ended, provider, language, ids, strengths, ads,
      ${day}
    from due order by market_id
    on conflict (market_id) do update set on_date = excluded.on_date, depth = excluded.depth,
      result_count = excluded.result_count, ended = excluded.ended,
      provider = excluded.provider, language = excluded.language, ids = excluded.ids,
      strengths = excluded.strengths, ads = excluded.ads,
      whole_on = coalesce((select link_whole_on from due
        where due.market_id = l.market_id and due.link_version = l.xmin::text), excluded.whole_on)
    returning market_id, ${day}::date > whole_on as is_linked
  ), kept as (
    insert into serps as p (market_id, on_date, depth, result_count, ended, provider, language,
      ads, ids, strengths, whole_on)
    select market_id, ${day}, depth, result_count, ended, provider, language, ads,
      case when is_linked then link_ids else ids end,
      case when is_linked then link_strengths else strengths end,
      case when is_linked then link_whole_on end
    from last join due using (market_id) order by market_id
    on conflict (market_id, on_date) do update set depth = excluded.depth,
      result_count = excluded.result_count, ended = excluded.ended,
      provider = excluded.provider, language = excluded.language, ads = excluded.ads,
      ids = excluded.ids, strengths = excluded.strengths, whole_on = excluded.whole_on
  )`;
