import type { ImportedRow, ImportedTableName } from '#contract/import-rows.ts';
import type { Tx } from '#db/database.ts';
import type { Ctx } from '#domain/base/context.ts';
import type { IdMap } from './id-map.ts';
import type { Survey } from './scan-import-file.ts';

/** An import in progress. */
export interface ImportRun {
  tx: Tx;
  ctx: Ctx;
  survey: Survey;
  /** An operator's import: facts become public, and tracking began when the file says. */
  asPublicFacts: boolean;
  ids: IdMap;
  /** The file's ids of written facts, by noun and app or competitor. */
  writtenFacts: Map<string, Set<number>>;
  /** Webhook addresses that the SSRF guard blocks. */
  refusedUrls: ReadonlySet<string>;
  encryptionKey: Buffer;
}

/** Writes validated rows of a table and returns the number. */
export type Restore<Name extends ImportedTableName> = (
  run: ImportRun,
  rows: ImportedRow<Name>[],
) => Promise<number>;
