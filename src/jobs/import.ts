import { runImport } from '../domain/imports/imports.ts';
import type { HouseJob } from '../domain/jobs/house-work.ts';

/** The parts of an export into an empty workspace. */
export const importJob: HouseJob = { kind: 'import', run: runImport };
