import { promisify } from 'node:util';
import { gunzip } from 'node:zlib';
import { findExportChunk } from '#db/queries/exports/workspace-exports.ts';
import { inTenant, type Ctx } from '#domain/base/context.ts';

const unpack = promisify(gunzip);

/** The text of an export's file, a chunk at a time. */
export async function* readChunks(ctx: Ctx, exportId: number): AsyncGenerator<Buffer> {
  for (let number = 0; ; number += 1) {
    const data = await inTenant(ctx, (tx) =>
      findExportChunk(tx, ctx.workspaceId, exportId, number),
    );
    if (data === undefined) return;
    yield await unpack(data);
  }
}
