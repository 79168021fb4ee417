import { promisify } from 'node:util';
import { gunzip } from 'node:zlib';
import type { Db, Tx } from '#db/database.ts';
import { findHistoryPart, listHistoryParts } from '#db/queries/history-imports/parts-and-chunks.ts';
import { invalid } from '#domain/base/errors.ts';
import type { StoredFile } from '#domain/base/ports.ts';

const unpack = promisify(gunzip);

export const missingParts = (stored: number, parts: number) =>
  invalid('parts', 'parts that were uploaded before, within a day', stored, parts);

/** The uploaded parts as one file. The part that was read last is kept in memory. */
export async function openHistoryFile(
  db: Db | Tx,
  workspaceId: number,
  { importId, parts }: { importId: number; parts: number },
): Promise<StoredFile> {
  const rows = await listHistoryParts(db, workspaceId, importId, parts);
  if (rows.length < parts) throw missingParts(rows.length, parts);
  let end = 0;
  const ranges = rows.map(({ number, bytes }) => {
    const start = end;
    end += bytes;
    return { number, start, end };
  });
  let kept: { number: number; data: Buffer } | null = null;
  const load = async (number: number): Promise<Buffer> => {
    if (kept?.number === number) return kept.data;
    const packed = await findHistoryPart(db, workspaceId, importId, number);
    if (!packed) throw missingParts(number - 1, parts);
    kept = { number, data: await unpack(packed) };
    return kept.data;
  };
  return {
    bytes: end,
    async read(start, until) {
      const pieces: Buffer[] = [];
      for (const part of ranges) {
        if (part.end <= start || part.start >= until) continue;
        const data = await load(part.number);
        pieces.push(data.subarray(Math.max(0, start - part.start), until - part.start));
      }
      return pieces.length === 1 ? pieces[0]! : Buffer.concat(pieces);
    },
  };
}
