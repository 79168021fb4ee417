import { sql } from 'kysely';
import type { Tx } from '#db/database.ts';
import { lockScores } from '../scores/scores.ts';
import { endPublication, itemsOf } from './facts-to-publish.ts';

/**
 * Publishes imported scores, oldest first. Scores are in the order of their ids, so one that is
 * older than the newest of its market here is not published, and neither is one without provenance.
 */
export async function publishScores(
  tx: Tx,
  workspaceId: number,
  ids: readonly string[],
): Promise<void> {
  await lockScores(tx);
  await sql`/* publish-scores */
    with given as (
      select distinct on (market_id, scored_at) * from (
        select g.market_id, (g.item->>'scoredAt')::timestamptz as scored_at,
          (g.item->>'traffic')::smallint as traffic, (g.item->>'difficulty')::smallint
          as difficulty, g.item->'provenance' as provenance
        from ${itemsOf(workspaceId, ids)} as g
        where jsonb_typeof(g.item->'provenance') = 'object'
      ) as items order by market_id, scored_at
    ), inserted as (
      insert into scores (market_id, scored_at, observed_on, traffic, difficulty, formula)
      select n.market_id, n.scored_at,
        coalesce(least((n.provenance->'inputs'->>'serpDate')::date,
          (n.provenance->'inputs'->>'hintsDate')::date), (n.provenance->>'observedAt')::date),
        n.traffic, n.difficulty, n.provenance->>'formula'
      from given n left join market_scores m on m.market_id = n.market_id
      where m.scored_at is null or m.scored_at < n.scored_at
      order by n.scored_at, n.market_id
      returning *
    ), newest as (
      select distinct on (i.market_id) i.*, n.provenance
      from inserted i join given n on n.market_id = i.market_id and n.scored_at = i.scored_at
      order by i.market_id, i.id desc
    ), moved as (
      insert into score_provenance (score_id, scored_on, provenance, packed)
      select m.score_id, (m.scored_at at time zone 'UTC')::date, p.provenance, p.packed
      from newest n join market_scores m on m.market_id = n.market_id
        join market_provenance p on p.market_id = n.market_id
      union all
      select i.id, (i.scored_at at time zone 'UTC')::date, g.provenance, null
      from inserted i join given g on g.market_id = i.market_id and g.scored_at = i.scored_at
      where not exists (select from newest n where n.id = i.id)
      on conflict do nothing
    ), provenance_of_newest as (
      insert into market_provenance as p (market_id, provenance)
      select n.market_id, n.provenance from newest n
      on conflict (market_id) do update set provenance = excluded.provenance, packed = null
    )
    insert into market_scores as m (market_id, score_id, scored_at, observed_on, serp_on, traffic,
      difficulty, confidence, traffic_basis, traffic_low, traffic_high, difficulty_low,
      difficulty_high)
    select i.market_id, i.id, i.scored_at, i.observed_on,
      (i.provenance->'inputs'->>'serpDate')::date, i.traffic, i.difficulty,
      i.provenance->>'confidence', jsonb_path_query_first(i.provenance, '$.evidence[*] ?
        (@.score == "traffic" &&
          (@.signal == "published" || @.signal == "bound")).signal') #>> '{}',
      (t.range->>'low')::smallint, (t.range->>'high')::smallint,
      (d.range->>'low')::smallint, (d.range->>'high')::smallint
    from newest i
      left join lateral (select i.provenance->'ranges'->'traffic' as range
        where i.provenance->'confidences'->>'traffic' = 'low') t on true
      left join lateral (select i.provenance->'ranges'->'difficulty' as range
        where i.provenance->'confidences'->>'difficulty' = 'low') d on true
    order by i.market_id
    on conflict (market_id) do update set score_id = excluded.score_id,
      scored_at = excluded.scored_at, observed_on = excluded.observed_on,
      serp_on = excluded.serp_on, traffic = excluded.traffic, difficulty = excluded.difficulty,
      confidence = excluded.confidence, traffic_basis = excluded.traffic_basis,
      traffic_low = excluded.traffic_low,
      traffic_high = excluded.traffic_high, difficulty_low = excluded.difficulty_low,
      difficulty_high = excluded.difficulty_high`.execute(tx);
  await endPublication(
    tx,
    workspaceId,
    ids,
    sql`exists (select from scores s where s.market_id = g.market_id
      and s.scored_at = (g.item->>'scoredAt')::timestamptz)`,
  );
}
