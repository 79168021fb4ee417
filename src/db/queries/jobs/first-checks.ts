import { sql } from 'kysely';
import type { Tx } from '#db/database.ts';
import type { Row } from '#db/row.ts';

const kind = 'first-check';

/**
 * Serializes the first checks of a workspace until the transaction ends, and sums those that were
 * requested since an instant. The caller holds the rows that it will mark as urgent.
 */
export async function sumFirstChecks(tx: Tx, workspaceId: number, since: Date): Promise<number> {
  await sql`select pg_advisory_xact_lock(hashtext('first_checks'), ${workspaceId}::int)`.execute(
    tx,
  );
  const { rows } = await sql<Row<'sum-first-checks'>>`
    select coalesce(sum(uses), 0)::int as uses from on_demand_hours
    where workspace_id = ${workspaceId} and kind = ${kind} and hour >= ${since}`.execute(tx);
  return rows[0]!.uses;
}

export async function addFirstChecks(
  tx: Tx,
  workspaceId: number,
  { hour, uses }: { hour: Date; uses: number },
): Promise<void> {
  await sql`
    insert into on_demand_hours as kept (workspace_id, kind, hour, uses)
    values (${workspaceId}, ${kind}, ${hour}, ${uses})
    on conflict (workspace_id, kind, hour) do update set uses = kept.uses + excluded.uses
  `.execute(tx);
}
