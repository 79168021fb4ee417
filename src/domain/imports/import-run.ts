import type { ImportedRow, ImportedTableName } from '../../contract/import-rows.ts';
import type { Tx } from '../../db/database.ts';
import type { Ctx } from '../context.ts';
import type { NewIds } from './new-ids.ts';
import type { Survey } from './survey.ts';

/** An import that is being written. */
export interface ImportRun {
  tx: Tx;
  ctx: Ctx;
  survey: Survey;
  ids: NewIds;
  /** Addresses of webhooks that this instance sends nothing to. */
  refusedUrls: ReadonlySet<string>;
  sealKey: Buffer;
}

/** Writes some rows of a table, which the survey has passed, and says how many it wrote. */
export type Restore<Name extends ImportedTableName> = (
  run: ImportRun,
  rows: ImportedRow<Name>[],
) => Promise<number>;
