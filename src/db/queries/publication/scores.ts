import { sql } from 'kysely';
import type { Tx } from '#db/database.ts';
import { lockScores } from '../scores/scores.ts';
import { endPublication, itemsOf } from './facts-to-publish.ts';

/**
 * Publishes imported scores, oldest first. Scores are in the order of their ids, so one that is
 * older than the newest of its market here is not published.
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
      ) as items order by market_id, scored_at
    ), inserted as (
      insert into scores (market_id, scored_at, observed_on, traffic, difficulty, formula,
        provenance)
      select n.market_id, n.scored_at,
        coalesce(least((n.provenance->'inputs'->>'serpDate')::date,
          (n.provenance->'inputs'->>'hintsDate')::date), (n.provenance->>'observedAt')::date),
        n.traffic, n.difficulty, n.provenance->>'formula', n.provenance
      from given n left join market_scores m on m.market_id = n.market_id
      where m.scored_at is null or m.scored_at < n.scored_at
      order by n.scored_at, n.market_id
      returning *
    )
    insert into market_scores as m (market_id, score_id, scored_at, observed_on, serp_on, traffic,
      difficulty, confidence)
    select distinct on (i.market_id) i.market_id, i.id, i.scored_at, i.observed_on,
      (i.provenance->'inputs'->>'serpDate')::date, i.traffic, i.difficulty,
      i.provenance->>'confidence'
    from inserted i order by i.market_id, i.id desc
    on conflict (market_id) do update set score_id = excluded.score_id,
      scored_at = excluded.scored_at, observed_on = excluded.observed_on,
      serp_on = excluded.serp_on, traffic = excluded.traffic, difficulty = excluded.difficulty,
      confidence = excluded.confidence`.execute(tx);
  await endPublication(
    tx,
    workspaceId,
    ids,
    sql`exists (select from scores s where s.market_id = g.market_id
      and s.scored_at = (g.item->>'scoredAt')::timestamptz)`,
  );
}
