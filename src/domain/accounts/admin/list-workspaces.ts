import type { z } from 'zod';
import type { admin } from '#contract/admin.ts';
import {
  countWorkspaces,
  findAnyWorkspace,
  listAllWorkspaces,
  type AdminWorkspaceRow,
} from '#db/queries/admin/admin.ts';
import type { Db, Tx } from '#db/database.ts';
import { utcDayOf } from '#lib/dates.ts';
import { planOf } from '#domain/base/plans/plans.ts';
import { stateOf, type WorkspaceStatus } from '../billing/workspace-status.ts';
import type { Ctx } from '#domain/base/context.ts';
import { readIdCursor, writeCursor } from '#domain/base/cursor.ts';
import { notFound } from '#domain/base/errors.ts';
import type { UsageCounts } from '../workspaces/workspace-usage.ts';

type List = (typeof admin)['GET /admin/workspaces'];
export type WorkspacePage = z.input<List['responses'][200]>;
export type AdminWorkspace = WorkspacePage['items'][number];
/** Requests that this process has counted and not stored yet. */
export type PendingUsage = Pick<UsageCounts, 'requests'>;

/** Every workspace of the instance. Throws invalid_cursor. */
export async function listWorkspaces(
  ctx: Ctx,
  query: z.output<List['query']>,
  pending: PendingUsage,
): Promise<WorkspacePage> {
  const now = ctx.clock.now();
  const filter = {
    state: query.state ?? null,
    search: query.q ?? null,
    now,
    billingEnabled: ctx.settings.billingEnabled,
  };
  const beforeId =
    query.cursor === undefined ? null : readIdCursor('admin workspaces', query.cursor);
  const [rows, total] = await Promise.all([
    listAllWorkspaces(ctx.systemDb, filter, {
      today: utcDayOf(now),
      limit: query.limit + 1,
      beforeId,
    }),
    countWorkspaces(ctx.systemDb, filter),
  ]);
  const items = rows.slice(0, query.limit).map((row) => presentWorkspace(ctx, row, pending));
  return {
    items,
    nextCursor:
      rows.length > query.limit ? writeCursor('admin workspaces', [items.at(-1)!.id]) : null,
    total,
  };
}

/** Any workspace. Throws not_found. */
export async function getAnyWorkspace(
  db: Db | Tx,
  ctx: Ctx,
  workspaceId: number,
  pending: PendingUsage,
): Promise<AdminWorkspace> {
  const row = await findAnyWorkspace(db, workspaceId, utcDayOf(ctx.clock.now()));
  if (!row) throw notFound();
  return presentWorkspace(ctx, row, pending);
}

function presentWorkspace(
  { clock, settings }: Ctx,
  row: AdminWorkspaceRow,
  pending: PendingUsage,
): AdminWorkspace {
  const now = clock.now();
  const today = utcDayOf(now);
  const isOfToday = (count: UsageCounts['requests'][number]) =>
    count.workspaceId === row.id && count.date === today;
  return {
    id: row.id,
    name: row.name,
    state: stateOf(row, now, settings.billingEnabled),
    planStatus: stateOf(
      { ...row, state: row.status },
      now,
      settings.billingEnabled,
    ) as WorkspaceStatus,
    plan: row.plan === null ? null : planOf(row.plan).name,
    owners: row.owners,
    createdAt: row.createdAt.toISOString(),
    trialEndsAt: row.trialEndsAt?.toISOString() ?? null,
    suspendedAt: row.suspendedAt?.toISOString() ?? null,
    suspendedReason: row.suspendedReason,
    deleteAt: row.deleteAt?.toISOString() ?? null,
    overLimitSince: row.overLimitSince?.toISOString() ?? null,
    usage: { apps: row.apps, keywordMarkets: row.keywordMarkets, members: row.members },
    requestsToday: pending.requests
      .filter(isOfToday)
      .reduce((sum, count) => sum + count.requests, Number(row.requestsToday)),
  };
}
