import type { z } from 'zod';
import type { action } from '#contract/actions.ts';
import type { ActionRow } from '#db/queries/actions/actions.ts';

export type ActionRecord = z.input<typeof action>;

/** The visible fields of an action; its key and fingerprint are internal. */
export function presentAction(row: ActionRow): ActionRecord {
  const { id, appId, severity, title, reason, keywordIds, status, resolvedBy, dismissReason } = row;
  return {
    id,
    appId,
    type: row.type as ActionRecord['type'],
    severity,
    title,
    reason,
    evidence: row.evidence as ActionRecord['evidence'],
    keywordIds,
    openedAt: row.openedAt.toISOString(),
    seenAt: row.seenAt.toISOString(),
    state: status,
    snoozedUntil: row.snoozedUntil?.toISOString() ?? null,
    resolvedAt: row.resolvedAt?.toISOString() ?? null,
    resolvedBy,
    dismissReason,
  };
}
