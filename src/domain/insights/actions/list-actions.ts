import type { z } from 'zod';
import type { actionDetail, actions } from '#contract/actions.ts';
import {
  countActions,
  findAction,
  listActions as listRows,
  type ActionFilter,
} from '#db/queries/actions/actions.ts';
import { inTenant, type Ctx } from '#domain/base/context.ts';
import { readIdCursor, writeCursor } from '#domain/base/cursor.ts';
import { notFound } from '#domain/base/errors.ts';
import { measureOutcome } from './measure-outcome.ts';
import { presentAction } from './present-action.ts';

type Operation = (typeof actions)['GET /actions'];
export type ActionList = z.input<Operation['responses'][200]>;
export type ActionDetail = z.input<typeof actionDetail>;

/** Suggested actions of this workspace, newest first. Throws invalid_cursor. */
export function listActions(ctx: Ctx, query: z.output<Operation['query']>): Promise<ActionList> {
  const before =
    query.cursor === undefined
      ? null
      : readIdCursor('actions', query.cursor, Number.MAX_SAFE_INTEGER);
  const filter: ActionFilter = {
    statuses: query.state,
    type: query.type,
    appId: query.appId,
    severities: query.severity,
  };
  return inTenant(ctx, async (tx) => {
    const rows = await listRows(tx, ctx.workspaceId, filter, { before, limit: query.limit + 1 });
    const page = rows.slice(0, query.limit);
    return {
      items: page.map(presentAction),
      nextCursor: rows.length > page.length ? writeCursor('actions', [page.at(-1)!.id]) : null,
      total: await countActions(tx, ctx.workspaceId, filter),
    };
  });
}

/** An action with its outcome. Throws not_found. */
export function getAction(ctx: Ctx, id: number): Promise<ActionDetail> {
  return inTenant(ctx, async (tx) => {
    const row = await findAction(tx, ctx.workspaceId, id);
    if (!row) throw notFound();
    return { ...presentAction(row), ...(await measureOutcome(tx, ctx, row)) };
  });
}
