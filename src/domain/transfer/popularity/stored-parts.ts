import type { Db } from '#db/database.ts';
import { findPopularityPart, listPopularityParts } from '#db/queries/popularity/imports.ts';
import { invalid } from '#domain/base/errors.ts';
import type { StoredFile } from '#domain/base/ports.ts';

interface Part {
  number: number;
  start: number;
  end: number;
}

const missing = () =>
  invalid('parts', 'the uploaded file was deleted after a day; upload it again');

/** The uploaded parts as one file. The part that was read last is kept in memory. */
export async function openStoredParts(
  db: Db,
  workspaceId: number,
  parts: number,
): Promise<StoredFile> {
  const rows = await listPopularityParts(db, workspaceId, parts);
  if (rows.length < parts) throw missing();
  const ends = rows.reduce<Part[]>((list, { number, bytes }) => {
    const start = list.at(-1)?.end ?? 0;
    return [...list, { number, start, end: start + bytes }];
  }, []);
  let kept: { number: number; data: Buffer } | null = null;
  const load = async (number: number): Promise<Buffer> => {
    if (kept?.number === number) return kept.data;
    const data = await findPopularityPart(db, workspaceId, number);
    if (!data) throw missing();
    kept = { number, data };
    return data;
  };
  return {
    bytes: ends.at(-1)?.end ?? 0,
    async read(start, end) {
      const pieces: Buffer[] = [];
      for (const part of ends) {
        if (part.end <= start || part.start >= end) continue;
        const data = await load(part.number);
        pieces.push(data.subarray(Math.max(0, start - part.start), end - part.start));
      }
      return pieces.length === 1 ? pieces[0]! : Buffer.concat(pieces);
    },
  };
}
