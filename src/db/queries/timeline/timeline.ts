import { sql } from 'kysely';
import type { Tx } from '#db/database.ts';
import type { Row } from '#db/row.ts';

export interface RankEventDay {
  date: string;
  improved: number;
  dropped: number;
  /** The first 200, by id. */
  keywordIds: number[];
}

/** Rank events of an app by the day of the check that they report. */
export async function listRankEventDays(
  tx: Tx,
  workspaceId: number,
  range: { appId: number; from: string; to: string },
): Promise<RankEventDay[]> {
  const { rows } = await sql<Row<'list-rank-event-days', RankEventDay, 'date' | 'keywordIds'>>`
    with facts as (
      select type, (body::jsonb #>> '{data,to,date}')::date as day,
        (body::jsonb #>> '{data,keywordId}')::int as keyword_id
      from events
      where workspace_id = ${workspaceId} and app_id = ${range.appId}
        and type in ('rank.improved', 'rank.dropped')
        and occurred_at >= ${range.from}::timestamp at time zone 'UTC'
    )
    select day as date, count(*) filter (where type = 'rank.improved')::int as improved,
      count(*) filter (where type = 'rank.dropped')::int as dropped,
      (array_agg(distinct keyword_id))[:200] as "keywordIds"
    from facts where day >= ${range.from}::date and day <= ${range.to}::date group by day`.execute(
    tx,
  );
  return rows;
}
