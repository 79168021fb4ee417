import { sql } from 'kysely';
import type { Tx } from '#db/database.ts';
import type { Row } from '#db/row.ts';

const kind = 'country-score';

/** The scores in countries that a workspace used since an instant. */
export async function sumCountryScoreUses(
  tx: Tx,
  workspaceId: number,
  since: Date,
): Promise<number> {
  const { rows } = await sql<Row<'sum-country-score-uses'>>`
    select coalesce(sum(uses), 0)::int as uses from on_demand_hours
    where workspace_id = ${workspaceId} and kind = ${kind} and hour >= ${since}`.execute(tx);
  return rows[0]!.uses;
}

/** Negative uses release some: an attempt without a result costs nothing. */
export async function addCountryScoreUses(
  tx: Tx,
  workspaceId: number,
  { hour, uses }: { hour: Date; uses: number },
): Promise<void> {
  await sql`
    insert into on_demand_hours as kept (workspace_id, kind, hour, uses)
    values (${workspaceId}, ${kind}, ${hour}, greatest(0, ${uses}::int))
    on conflict (workspace_id, kind, hour)
      do update set uses = greatest(0, kept.uses + ${uses}::int)`.execute(tx);
}
