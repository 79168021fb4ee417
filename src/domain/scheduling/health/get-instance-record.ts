import type { z } from 'zod';
import type { instanceRecord } from '#contract/diagnostics.ts';
import {
  countRows,
  listNewestDeadLetters,
  listNewestFailedJobs,
  listNewestRuns,
  listTableSizes,
} from '#db/queries/admin/diagnostics.ts';
import type { Ctx } from '#domain/base/context.ts';

export type InstanceRecord = z.input<typeof instanceRecord>;

/** The size of the instance, its newest runs and its newest failures, without names of people. */
export async function getInstanceRecord({
  systemDb,
}: Pick<Ctx, 'systemDb'>): Promise<InstanceRecord> {
  const [counts, tables, runs, jobs, deadLetters] = await Promise.all([
    countRows(systemDb),
    listTableSizes(systemDb),
    listNewestRuns(systemDb),
    listNewestFailedJobs(systemDb),
    listNewestDeadLetters(systemDb),
  ]);
  return {
    counts,
    tables,
    runs: runs.map(({ openedAt, finishedAt, ...run }) => ({
      ...run,
      openedAt: openedAt.toISOString(),
      finishedAt: finishedAt?.toISOString() ?? null,
    })),
    failedJobs: jobs.map(({ finishedAt, ...job }) => ({
      ...job,
      finishedAt: finishedAt?.toISOString() ?? null,
    })),
    deadLetters: deadLetters.map(({ deadLetteredAt, ...deadLetter }) => ({
      ...deadLetter,
      deadLetteredAt: deadLetteredAt.toISOString(),
    })),
  };
}
