import { sql } from 'kysely';
import type { Tx } from '#db/database.ts';
import { idsOf, recordset } from './imported-rows.ts';

export interface ImportedAction {
  appId: number | null;
  type: string;
  key: string;
  fingerprint: string;
  severity: string;
  title: string;
  reason: string;
  evidence: unknown;
  keywordIds: number[];
  status: string;
  openedAt: string;
  seenAt: string;
  snoozedUntil: string | null;
  resolvedAt: string | null;
  resolvedBy: string | null;
  dismissReason: string | null;
}

export function insertImportedActions(
  tx: Tx,
  workspaceId: number,
  actions: ImportedAction[],
): Promise<number[]> {
  return idsOf(
    tx,
    sql`
    insert into actions (workspace_id, app_id, type, key, fingerprint, severity, title, reason,
      evidence, keyword_ids, status, opened_at, seen_at, snoozed_until, resolved_at, resolved_by,
      dismiss_reason)
    select ${workspaceId}, n."appId", n.type, n.key, n.fingerprint, n.severity, n.title, n.reason,
      n.evidence, n."keywordIds", n.status, n."openedAt", n."seenAt", n."snoozedUntil",
      n."resolvedAt", n."resolvedBy", n."dismissReason"
    from ${recordset(
      actions,
      sql`"appId" int, type text, key text, fingerprint text, severity text, title text,
        reason text, evidence jsonb, "keywordIds" int[], status text, "openedAt" timestamptz,
        "seenAt" timestamptz, "snoozedUntil" timestamptz, "resolvedAt" timestamptz,
        "resolvedBy" text, "dismissReason" text`,
    )} order by n.at returning id::float8 as id`,
  );
}

export interface ImportedWebhook {
  url: string;
  kind: string;
  events: string[];
  description: string | null;
  enabled: boolean;
  disabledBy: string | null;
  createdAt: string;
  /** Encrypted and new: files contain no secrets. */
  secret: Buffer;
}

export function insertImportedWebhook(
  tx: Tx,
  workspaceId: number,
  webhook: ImportedWebhook,
): Promise<number[]> {
  return idsOf(
    tx,
    sql`
    insert into webhooks (workspace_id, url, kind, events, description, enabled, disabled_by,
      secret, secret_strength, created_at)
    values (${workspaceId}, ${webhook.url}, ${webhook.kind}, ${webhook.events},
      ${webhook.description}, ${webhook.enabled},
      ${webhook.disabledBy}, ${webhook.secret}, 'strong', ${webhook.createdAt})
    returning id::float8 as id`,
  );
}
