import { promisify } from 'node:util';
import { gunzip } from 'node:zlib';
import { findExportChunk } from '#db/queries/exports/workspace-exports.ts';
import { inTenant, type Ctx } from '#domain/base/context.ts';

const unpack = promisify(gunzip);

/**
 * The text of an export's file, a chunk at a time. Throws where the chunks end before `bytes`,
 * because the file was deleted meanwhile.
 */
export async function* readChunks(ctx: Ctx, exportId: number, bytes = 0): AsyncGenerator<Buffer> {
  let read = 0;
  for (let number = 0; ; number += 1) {
    const data = await inTenant(ctx, (tx) =>
      findExportChunk(tx, ctx.workspaceId, exportId, number),
    );
    if (data === undefined) break;
    const chunk = await unpack(data);
    read += chunk.length;
    yield chunk;
  }
  if (read < bytes) throw new Error(`export ${exportId} was deleted while it was read`);
}
