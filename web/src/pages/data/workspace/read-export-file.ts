import { importTextMax } from '../../../../../src/contract/body-limits.ts';
/** What an export says of itself. */
export interface ExportFile {
  file: File;
  exportedAt: string | null;
  tables: { table: string; rows: number }[];
}

/** Why a file is none that can be imported: it is something else, or its end is missing. */
export type ExportFault = 'foreign' | 'cut';

async function* readLines(file: Blob): AsyncGenerator<string> {
  const reader = file.stream().pipeThrough(new TextDecoderStream()).getReader();
  let rest = '';
  for (let piece = await reader.read(); !piece.done; piece = await reader.read()) {
    const lines = (rest + piece.value).split('\n');
    rest = lines.pop()!;
    yield* lines;
  }
  if (rest !== '') yield rest;
}

function parseLine(line: string): Record<string, unknown> {
  try {
    const value: unknown = JSON.parse(line);
    return typeof value === 'object' && value !== null ? (value as Record<string, unknown>) : {};
  } catch {
    return {};
  }
}

/** Goes through a whole export in the browser and counts its rows; nothing is sent. The server checks its hash besides. */
export async function readExportFile(file: File): Promise<ExportFile | ExportFault> {
  const counts = new Map<string, number>();
  let exportedAt: string | null = null;
  let count = 0;
  let last = '';
  for await (const line of readLines(file)) {
    if (count === 0) {
      const manifest = parseLine(line).manifest as
        | { format?: unknown; exportedAt?: unknown }
        | undefined;
      if (manifest?.format !== 'toprung-workspace') return 'foreign';
      if (typeof manifest.exportedAt === 'string') exportedAt = manifest.exportedAt;
    } else {
      // The table stands first in its line: of a large file not every row need be parsed.
      const table = /^\{"table":"([a-z_]+)"/.exec(line)?.[1];
      if (table) counts.set(table, (counts.get(table) ?? 0) + 1);
    }
    count += 1;
    last = line;
  }
  const end = parseLine(last).end as { lines?: unknown } | undefined;
  if (end?.lines !== count - 1) return 'cut';
  return { file, exportedAt, tables: [...counts].map(([table, rows]) => ({ table, rows })) };
}

/** The text of a file in parts that the API takes. */
export async function* readParts(file: Blob): AsyncGenerator<string> {
  const reader = file.stream().pipeThrough(new TextDecoderStream()).getReader();
  let rest = '';
  for (let piece = await reader.read(); !piece.done; piece = await reader.read()) {
    rest += piece.value;
    for (; rest.length >= importTextMax; rest = rest.slice(importTextMax))
      yield rest.slice(0, importTextMax);
  }
  if (rest !== '') yield rest;
}
