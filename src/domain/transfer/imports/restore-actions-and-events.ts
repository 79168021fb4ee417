import type { EventObject } from '#contract/events.ts';
import {
  insertEvents,
  listKnownKeys,
  lockEventCounter,
  setEventCounter,
  type NewEventRow,
} from '#db/queries/events/events.ts';
import { insertImportedActions } from '#db/queries/imports/imported-actions.ts';
import { stringifyExact } from '#lib/json.ts';
import { toEventObject } from '#domain/alerting/events/event-object.ts';
import { createEventKeys } from './create-event-keys.ts';
import type { ImportRun, Restore } from './import-run.ts';
import { goneId, type IdMap } from './id-map.ts';

/** An actor who is not a member here. */
const somebody = 'user:0';

export const restoreActions: Restore<'actions'> = async ({ tx, ctx, ids }, rows) => {
  const actions = rows.map((row) => ({
    appId: row.app_id === null ? null : ids.of('app', row.app_id),
    type: row.type,
    fingerprint: row.fingerprint,
    severity: row.severity,
    title: row.title,
    status: row.status,
    key: ids.renewActionKey(row.type, row.key)!,
    reason: ids.renewPaths(row.reason),
    evidence: ids.renew(row.evidence),
    keywordIds: ids.pick('keyword', row.keyword_ids),
    openedAt: row.opened_at,
    seenAt: row.seen_at,
    snoozedUntil: row.snoozed_until,
    resolvedAt: row.resolved_at,
    resolvedBy: row.resolved_by?.startsWith('user:') ? somebody : row.resolved_by,
    dismissReason: row.dismiss_reason,
  }));
  ids.add('action', rows, await insertImportedActions(tx, ctx.workspaceId, actions));
  return rows.length;
};

/**
 * Imported events with local ids: numbered after this workspace's events without gaps, and not
 * delivered. Existing keys are skipped.
 */
export const restoreEvents: Restore<'events'> = async (run, rows) => {
  const { tx, ctx, ids } = run;
  const keys = await createEventKeys(run, rows);
  const last = await lockEventCounter(tx, ctx.workspaceId);
  const known = await listKnownKeys(tx, ctx.workspaceId, keys);
  const fresh = [...new Map(rows.map((row, index) => [keys[index]!, row]))].filter(
    ([key]) => !known.has(key),
  );
  const events = fresh.map(([key, row], index): NewEventRow => {
    const appId = row.app_id === null ? null : (ids.find('app', row.app_id) ?? null);
    const sequence = last + 1 + index;
    const body = stringifyExact(renewEvent(run, row.body, sequence));
    return { type: row.type, key, appId, occurredAt: new Date(row.body.timestamp), sequence, body };
  });
  if (events.length > 0) await insertEvents(tx, ctx.workspaceId, events);
  await setEventCounter(tx, ctx.workspaceId, last + events.length);
  return events.length;
};

function renewEvent({ ctx, ids }: ImportRun, exported: EventObject, sequence: number): EventObject {
  const app = exported.app && { ...exported.app, id: ids.of('app', exported.app.id) };
  const data = ids.renew(exported.data) as { reason?: string };
  if (typeof data.reason === 'string') data.reason = ids.renewPaths(data.reason);
  const event = {
    type: exported.type,
    data,
    workspaceId: ctx.workspaceId,
    occurredAt: new Date(exported.timestamp),
    links: renewLinks(ids, exported.links),
  };
  return toEventObject(event, {
    id: exported.id,
    sequence,
    app,
    publicUrl: ctx.settings.publicUrl,
  });
}

const ownPath =
  /^(?:https?:\/\/[^/\s]+\/api\/backend)?(\/(?:apps|keywords|actions|digests|reviews)[\w\-/?&=:.]{0,200})$/;

const lackingReview = `/reviews/${goneId}`;

/** API paths only. That of a review which the file lacks is omitted. */
function renewLinks(ids: IdMap, links: EventObject['links']): EventObject['links'] {
  return Object.fromEntries(
    Object.entries(links).flatMap(([name, link]) => {
      const path = ownPath.exec(link)?.[1];
      const renewed = path === undefined || path.includes('..') ? null : ids.renewPaths(path);
      return renewed === null || renewed === lackingReview ? [] : [[name, renewed]];
    }),
  );
}
