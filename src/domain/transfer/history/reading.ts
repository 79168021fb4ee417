import type { z } from 'zod';
import type { historyImports, historyReading } from '#contract/history-imports.ts';
import type { historyReasons } from '#contract/choices.ts';

export type Reading = z.output<typeof historyReading>;
export type HistoryReason = (typeof historyReasons)[number];
export type HistoryPreview = z.input<
  (typeof historyImports)['POST /history-imports/{importId}/preview']['responses'][200]
>;
export type HistoryRow = HistoryPreview['rows'][number];
export type MissingFact = HistoryPreview['missing'][number];

/** A row of the file as read, or the reason why it cannot be imported. */
export interface HistoryEntry {
  line: number;
  column: string | null;
  phrase: string | null;
  country: string | null;
  device: string | null;
  keywordId: number | null;
  date: string | null;
  position: number | null;
  depth: number | null;
  reason: HistoryReason | null;
  value: string | null;
}

/** Makes names unique, so that each column can be selected: `Rank`, `Rank (2)`, `#3`. */
export function nameColumns(cells: readonly string[]): string[] {
  const seen = new Map<string, number>();
  const taken = new Set(cells.map((cell) => cleanName(cell)));
  return cells.map((cell, index) => {
    const name = cleanName(cell) || `#${index + 1}`;
    let times = (seen.get(name) ?? 0) + 1;
    while (times > 1 && taken.has(`${name} (${times})`)) times += 1;
    seen.set(name, times);
    return times === 1 ? name : `${name} (${times})`;
  });
}

/** PostgreSQL stores neither NUL nor lone surrogates. */
const cleanName = (cell: string) => storable(cell).trim().slice(0, 190).toWellFormed();

const storable = (text: string): string => text.toWellFormed().replaceAll('\0', '�');

const shownCharacters = 100;
export const shorten = (text: string): string => storable(text.slice(0, shownCharacters));
