import type { z } from 'zod';
import type { admin } from '#contract/admin.ts';
import { listBackups as listRows } from '#db/queries/backups/backups.ts';
import type { Ctx } from '#domain/base/context.ts';
import { readBackups } from './get-backup-state.ts';

export type BackupList = z.input<(typeof admin)['GET /admin/backups']['responses'][200]>;

/** The newest hundred backups, and their schedule. */
export async function listBackups(ctx: Ctx): Promise<BackupList> {
  const [rows, { schedule, state }] = await Promise.all([
    listRows(ctx.systemDb, ctx.clock.now()),
    readBackups(ctx),
  ]);
  const items = rows.map((row): BackupList['items'][number] => ({
    id: row.id,
    isScheduled: row.scheduledFor !== null,
    state: row.state as BackupList['items'][number]['state'],
    attempts: row.attempts,
    startedAt: row.startedAt.toISOString(),
    finishedAt: row.finishedAt?.toISOString() ?? null,
    path: row.path,
    bytes: row.bytes,
    databaseBytes: row.databaseBytes,
    rows: row.rows,
    seconds: row.seconds,
    error: row.error,
    deletedAt: row.deletedAt?.toISOString() ?? null,
    upload: describeUpload(row),
  }));
  const bucket = schedule?.bucket ?? null;
  return {
    schedule: schedule && { at: formatTimeOfDay(schedule.atMinutes), keep: schedule.keep },
    isOverdue: state.isOverdue,
    bucket: bucket && {
      url: bucket.address,
      keep: bucket.keep,
      lastAt: state.upload?.lastAt?.toISOString() ?? null,
      isOverdue: state.upload?.isOverdue ?? false,
    },
    items,
    nextCursor: null,
    total: items.length,
  };
}

type Upload = NonNullable<BackupList['items'][number]['upload']>;

function describeUpload(row: Awaited<ReturnType<typeof listRows>>[number]): Upload | null {
  if (row.uploadState === null) return null;
  return {
    state: row.uploadState as Upload['state'],
    url: row.objectUrl,
    uploadedAt: row.uploadedAt?.toISOString() ?? null,
    error: row.uploadError,
    deletedAt: row.objectDeletedAt?.toISOString() ?? null,
  };
}

/** `01:00`, from minutes after midnight. */
function formatTimeOfDay(minutes: number): string {
  const two = (value: number) => String(value).padStart(2, '0');
  return `${two(Math.floor(minutes / 60))}:${two(minutes % 60)}`;
}
