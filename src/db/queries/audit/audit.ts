import { sql } from 'kysely';
import type { Tx } from '#db/database.ts';
import type { Row } from '#db/row.ts';

export interface AuditRow {
  id: bigint;
  at: Date;
  actor: string;
  /**
   * `session`, `invite`, `link`, `recovery`, `payment`, `command`, or `token` with its id: `token
   * 12`.
   */
  credential: string;
  action: string;
  subject: string | null;
  detail: unknown;
}

export async function insertAudit(
  tx: Tx,
  workspaceId: number,
  row: Omit<AuditRow, 'id' | 'detail'> & { detail: object },
): Promise<void> {
  const { at, actor, credential, action, subject, detail } = row;
  await tx
    .insertInto('audit')
    .values({
      workspace_id: workspaceId,
      at,
      actor,
      credential,
      action,
      subject,
      detail: JSON.stringify(detail),
    })
    .execute();
}

export interface AuditFilter {
  actor: string | null;
  action: string | null;
  /** UTC days, both inclusive. */
  from: string;
  to: string;
}

/** Newest first, with ids below `beforeId`. */
export async function listAudit(
  tx: Tx,
  workspaceId: number,
  filter: AuditFilter,
  page: { limit: number; beforeId: number | null },
): Promise<AuditRow[]> {
  const { rows } = await sql<Row<'list-audit', AuditRow>>`
    select id, at, actor, credential, action, subject, detail from audit
    where workspace_id = ${workspaceId}
      and (${page.beforeId}::bigint is null or id < ${page.beforeId})
      and at >= ${filter.from}::date::timestamp at time zone 'UTC'
        and at < (${filter.to}::date + 1)::timestamp at time zone 'UTC'
      and (${filter.actor}::text is null or actor = ${filter.actor})
        and (${filter.action}::text is null or action = ${filter.action})
    order by id desc limit ${page.limit}`.execute(tx);
  return rows;
}

/**
 * Removes the user's name from audit entries in every workspace; the entries stay (system role).
 */
export async function redactAuditNames(tx: Tx, emails: readonly string[]): Promise<void> {
  await sql`
    update audit set actor = case when actor = any(${emails}::text[]) then 'deleted account'
      else actor end,
      subject = case when subject = any(${emails}::text[]) then 'deleted account' else subject end
    where actor = any(${emails}::text[]) or (subject = any(${emails}::text[])
      and subject like '%@%')`.execute(tx);
}
