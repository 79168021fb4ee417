import { writeWorkspaceExport } from '../domain/exports/write-workspace.ts';
import type { HouseJob } from '../domain/jobs/house-work.ts';

/** A workspace into one file. */
export const exportJob: HouseJob = { kind: 'export', run: writeWorkspaceExport };
