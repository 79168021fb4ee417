import { importTextMax } from '#contract/body-limits.ts';
/** The header of an export. */
export interface ExportFile {
  file: File;
  exportedAt: string | null;
  tables: { table: string; rows: number }[];
}

/** Why a file cannot be imported: it is not an export, it is incomplete, or it cannot be read. */
export type ExportFileError = 'foreign' | 'cut' | 'gone';

async function* streamLines(file: Blob): AsyncGenerator<string> {
  const reader = file.stream().pipeThrough(new TextDecoderStream()).getReader();
  let rest = '';
  for (let piece = await reader.read(); !piece.done; piece = await reader.read()) {
    const lines = (rest + piece.value).split('\n');
    rest = lines.pop()!;
    yield* lines;
  }
  if (rest !== '') yield rest;
}

function parseJsonLine(line: string): Record<string, unknown> {
  try {
    const value: unknown = JSON.parse(line);
    return typeof value === 'object' && value !== null ? (value as Record<string, unknown>) : {};
  } catch {
    return {};
  }
}

/** Reads the whole export in the browser and counts its rows. The server also checks its hash. */
export const parseExportFile = (file: File): Promise<ExportFile | ExportFileError> =>
  // A folder was dropped, or the file was moved or changed since it was chosen.
  parseExport(file).catch(() => 'gone');

async function parseExport(file: File): Promise<ExportFile | ExportFileError> {
  const counts = new Map<string, number>();
  let exportedAt: string | null = null;
  let count = 0;
  let last = '';
  for await (const line of streamLines(file)) {
    if (count === 0) {
      const manifest = parseJsonLine(line).manifest as
        | { format?: unknown; exportedAt?: unknown }
        | undefined;
      if (manifest?.format !== 'toprung-workspace') return 'foreign';
      if (typeof manifest.exportedAt === 'string') exportedAt = manifest.exportedAt;
    } else {
      // The table name is first in each line, so that large files need not be parsed completely.
      const table = /^\{"table":"([a-z_]+)"/.exec(line)?.[1];
      if (table) counts.set(table, (counts.get(table) ?? 0) + 1);
    }
    count += 1;
    last = line;
  }
  const end = parseJsonLine(last).end as { lines?: unknown } | undefined;
  if (end?.lines !== count - 1) return 'cut';
  return { file, exportedAt, tables: [...counts].map(([table, rows]) => ({ table, rows })) };
}

const isHighSurrogate = (unit: number): boolean => (unit & 0xfc00) === 0xd800;

/** Splits the text of a file into parts that the API accepts: it refuses half a surrogate pair. */
export async function* readParts(file: Blob): AsyncGenerator<string> {
  const reader = file.stream().pipeThrough(new TextDecoderStream()).getReader();
  let rest = '';
  for (let piece = await reader.read(); !piece.done; piece = await reader.read()) {
    rest += piece.value;
    while (rest.length >= importTextMax) {
      const isSplit = isHighSurrogate(rest.charCodeAt(importTextMax - 1));
      const end = isSplit ? importTextMax - 1 : importTextMax;
      yield rest.slice(0, end);
      rest = rest.slice(end);
    }
  }
  if (rest !== '') yield rest;
}
