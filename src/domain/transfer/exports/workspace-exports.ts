import type { z } from 'zod';
import type { workspaceExport } from '#contract/exports.ts';
import {
  deleteExpiredExports,
  deleteOlderExports,
  findExport,
  upsertExport,
  type WorkspaceExportRow,
} from '#db/queries/exports/workspace-exports.ts';
import type { Tx } from '#db/database.ts';
import { writeAudit } from '#domain/base/audit/write-audit.ts';
import { inTenant, type Actor, type Ctx, type Services } from '#domain/base/context.ts';
import { notFound } from '#domain/base/errors.ts';
import { accept, assertQueueCapacity, type JobReference } from '#domain/base/jobs/accept-job.ts';
import { retriedAfter } from '#domain/scheduling/background-jobs/crashed-jobs.ts';
import { readChunks } from './read-chunks.ts';
import type { ExportPayload } from './write-workspace.ts';

export type WorkspaceExport = z.input<typeof workspaceExport>;

const retainedExports = 2;
const unfinishedDays = 2;

/**
 * Accepts an export of the workspace, or returns the maker's running one. Keeps only the last two
 * files of each maker. Throws queue_full.
 */
export async function requestWorkspaceExport(
  ctx: Ctx,
  format: 'ndjson',
): Promise<{ job: JobReference; poll: string }> {
  await assertQueueCapacity(ctx);
  const maker = makerOf(ctx.actor);
  return inTenant(ctx, async (tx) => {
    const payload: ExportPayload = { actor: ctx.actor, workspaceState: ctx.workspaceState };
    const job = await accept(tx, ctx, {
      appId: null,
      kind: 'export',
      dedupeKey: `export ${maker}`,
      payload,
      total: 1,
    });
    const id = await upsertExport(tx, ctx.workspaceId, {
      jobId: job.id,
      format,
      maker,
      now: ctx.clock.now(),
    });
    if (!job.deduped)
      await writeAudit(tx, ctx, {
        action: 'export.requested',
        subject: `export ${id}`,
        detail: { format },
      });
    await deleteOlderExports(tx, ctx.workspaceId, maker, retainedExports);
    return { job, poll: `/workspace/exports/${id}` };
  });
}

/** A read-only token replaces no file of others, not even of its own user. */
function makerOf(actor: Actor): string {
  return actor.kind === 'token' && actor.readOnly
    ? `token ${actor.tokenId}`
    : `user ${actor.userId}`;
}

/** Throws not_found, also for an expired one. */
export async function getWorkspaceExport(ctx: Ctx, id: number): Promise<WorkspaceExport> {
  return inTenant(ctx, async (tx) => present(await find(tx, ctx, id)));
}

/**
 * The file in chunks as it is read. Throws not_found, also while it is incomplete. The chunks end
 * with an error when the file is deleted before they are read.
 */
export async function openWorkspaceExport(ctx: Ctx, id: number): Promise<AsyncGenerator<Buffer>> {
  const row = await inTenant(ctx, (tx) => find(tx, ctx, id));
  if (row.expiresAt === null) throw notFound();
  return readChunks(ctx, id, Number(row.bytes));
}

/** Deletes expired files. */
export function deleteExpired(services: Services): Promise<number> {
  const now = services.clock.now();
  return deleteExpiredExports(services.systemDb, {
    now,
    unfinishedBefore: new Date(now.getTime() - unfinishedDays * 86_400_000),
    retriedAfter: retriedAfter(services),
  });
}

async function find(tx: Tx, ctx: Ctx, id: number): Promise<WorkspaceExportRow> {
  const row = await findExport(tx, ctx.workspaceId, id);
  if (!row || (row.expiresAt !== null && row.expiresAt <= ctx.clock.now())) throw notFound();
  return row;
}

function present(row: WorkspaceExportRow): WorkspaceExport {
  const id = Number(row.id);
  return {
    id,
    format: 'ndjson',
    state: row.state,
    createdAt: row.createdAt.toISOString(),
    expiresAt: row.expiresAt?.toISOString() ?? null,
    rows: row.rows === null ? null : Number(row.rows),
    bytes: row.bytes === null ? null : Number(row.bytes),
    sha256: row.sha256,
    download: row.expiresAt === null ? null : `/workspace/exports/${id}/file`,
  };
}
