import type { z } from 'zod';
import type { audit } from '#contract/audit.ts';
import { listAudit as selectAudit, type AuditRow } from '#db/queries/audit/audit.ts';
import { inTenant, type Ctx } from '../context.ts';
import { readIdCursor, writeCursor } from '../cursor.ts';
import { maxListDays, parseDayRange } from '../day-window.ts';

type Operation = (typeof audit)['GET /workspace/audit'];
type AuditPage = z.input<Operation['responses'][200]>;

/**
 * Lists the audit entries of the requested days, newest first. Throws invalid_cursor, and
 * invalid_request for a range of more than 400 days.
 */
export async function listAudit(ctx: Ctx, query: z.output<Operation['query']>): Promise<AuditPage> {
  const filter = {
    ...parseDayRange(query, ctx.clock.now(), maxListDays),
    actor: query.actor ?? null,
    action: query.action ?? null,
  };
  const beforeId =
    query.cursor === undefined
      ? null
      : readIdCursor('audit', query.cursor, Number.MAX_SAFE_INTEGER);
  const rows = await inTenant(ctx, (tx) =>
    selectAudit(tx, ctx.workspaceId, filter, { limit: query.limit + 1, beforeId }),
  );
  const items = rows.slice(0, query.limit).map(toEntry);
  return {
    items,
    nextCursor: rows.length > query.limit ? writeCursor('audit', [items.at(-1)!.id]) : null,
    total: null,
  };
}

function toEntry(row: AuditRow): AuditPage['items'][number] {
  const [kind, tokenId] = row.credential.split(' ') as [
    'session' | 'token' | 'invite' | 'link' | 'recovery' | 'payment' | 'command',
    string?,
  ];
  return {
    id: Number(row.id),
    at: row.at.toISOString(),
    actor: row.actor,
    credential: { kind, tokenId: tokenId === undefined ? null : Number(tokenId) },
    action: row.action as AuditPage['items'][number]['action'],
    subject: row.subject,
    detail: row.detail as AuditPage['items'][number]['detail'],
  };
}
