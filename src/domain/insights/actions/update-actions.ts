import type { z } from 'zod';
import type { actions } from '#contract/actions.ts';
import type { Tx } from '#db/database.ts';
import {
  listLiveKeys,
  lockActions,
  lockActionsOf,
  updateActionState,
  type ActionRow,
  type ActionState,
} from '#db/queries/actions/actions.ts';
import { isStorable } from '#lib/text.ts';
import { inTenant, type Ctx } from '#domain/base/context.ts';
import { invalid, notFound } from '#domain/base/errors.ts';
import { presentAction, type ActionRecord } from './present-action.ts';

export type BulkBody = z.output<(typeof actions)['POST /actions/bulk']['body']>;

/** A user's operation on an action. */
export type Move =
  | { op: 'resolve' }
  | { op: 'dismiss'; reason?: string | undefined }
  | { op: 'snooze'; until: string }
  | { op: 'reopen' };

const maxSnoozeMs = 366 * 86_400_000;
const closed: Pick<ActionState, 'snoozedUntil'> = { snoozedUntil: null };

/** Updates one action; repeating changes nothing. Throws not_found, invalid_request. */
export function updateAction(ctx: Ctx, id: number, move: Move): Promise<ActionRecord> {
  validateMove(ctx, move);
  return inTenant(ctx, async (tx) => {
    const [moved] = await moveAll(tx, ctx, [id], move);
    return presentAction({ ...moved!.row, ...moved!.state });
  });
}

/** Updates up to 200 actions, all or none. Throws not_found for an unknown one, invalid_request. */
export function updateActions(ctx: Ctx, { ids, ...move }: BulkBody): Promise<{ updated: number }> {
  validateMove(ctx, move);
  return inTenant(ctx, async (tx) => ({
    updated: (await moveAll(tx, ctx, [...new Set(ids)], move)).filter(({ isNew }) => isNew).length,
  }));
}

interface Moved {
  row: ActionRow;
  state: ActionState;
  isNew: boolean;
}

async function moveAll(tx: Tx, ctx: Ctx, ids: number[], move: Move): Promise<Moved[]> {
  // A generation that has read the status before this update would overwrite it.
  await lockActionsOf(tx, ctx.workspaceId);
  const rows = await lockActions(tx, ctx.workspaceId, ids);
  if (rows.length < ids.length) throw notFound();
  const moved = rows.map((row): Moved => {
    const state = nextActionState(row, move, {
      now: ctx.clock.now(),
      by: `user:${ctx.actor.userId}`,
    });
    return state ? { row, state, isNew: true } : { row, state: row, isNew: false };
  });
  if (move.op === 'reopen') {
    await requireClosedKeys(
      tx,
      ctx,
      moved.filter(({ isNew }) => isNew).map(({ row }) => row),
    );
  }
  for (const { row, state, isNew } of moved)
    if (isNew) await updateActionState(tx, ctx.workspaceId, row.id, state);
  return moved;
}

/** Null when nothing changes. Throws invalid_request. Pure. */
function nextActionState(
  row: Pick<ActionRow, 'status' | 'snoozedUntil' | 'id'>,
  move: Move,
  act: { now: Date; by: string },
): ActionState | null {
  const ended = { ...closed, resolvedAt: act.now, resolvedBy: act.by };
  const live = { resolvedAt: null, resolvedBy: null, dismissReason: null };
  switch (move.op) {
    case 'resolve':
      return row.status === 'resolved'
        ? null
        : { ...ended, status: 'resolved', dismissReason: null };
    case 'dismiss':
      return row.status === 'dismissed'
        ? null
        : { ...ended, status: 'dismissed', dismissReason: move.reason ?? null };
    case 'reopen':
      return row.status === 'open' ? null : { ...live, ...closed, status: 'open' };
    case 'snooze': {
      if (row.status === 'resolved' || row.status === 'dismissed')
        throw invalid('id', 'only an open action can be snoozed: reopen it first', row.id);
      const until = new Date(move.until);
      return row.snoozedUntil?.getTime() === until.getTime()
        ? null
        : { ...live, status: 'snoozed', snoozedUntil: until };
    }
  }
}

/** The same finding may have been opened again since. */
async function requireClosedKeys(tx: Tx, ctx: Ctx, rows: readonly ActionRow[]): Promise<void> {
  const closedRows = rows.filter((row) => row.status === 'resolved' || row.status === 'dismissed');
  const keys = closedRows.map((row) => row.key);
  const repeated = closedRows.find((row, index) => keys.indexOf(row.key) !== index);
  if (repeated)
    throw invalid('ids', 'the same finding twice: only one of them can be open', repeated.id);
  const [other] = keys.length === 0 ? [] : await listLiveKeys(tx, ctx.workspaceId, keys);
  if (other)
    throw invalid('id', `the same finding is already open as action ${other.id}`, other.id);
}

function validateMove(ctx: Ctx, move: Move): void {
  if (move.op === 'dismiss' && !isStorable(move.reason ?? ''))
    throw invalid('reason', 'no NUL and no lone surrogates');
  if (move.op !== 'snooze') return;
  const aheadMs = Date.parse(move.until) - ctx.clock.now().getTime();
  if (aheadMs <= 0) throw invalid('until', 'must be in the future', move.until);
  if (aheadMs > maxSnoozeMs) throw invalid('until', 'at most 366 days from now', move.until, 366);
}
