import type { Tx } from '#db/database.ts';

/** Settings that name a workspace's tags, besides apps and keywords. */
export interface TagReferences {
  rename(tx: Tx, workspaceId: number, from: string, to: string): Promise<void>;
  /** Throws invalid_request for a tag that is still used. */
  assertUnused(tx: Tx, workspaceId: number, tag: string): Promise<void>;
}
