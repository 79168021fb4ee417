import { unguardFormula } from '#lib/csv-writer.ts';
import type { UtcDay } from '#lib/dates.ts';
import type { SheetRow } from '#domain/base/ports.ts';
import { createAccountReader } from './read-account-line.ts';
import { createEntryReader, type HistoryApp } from './entry-reader.ts';
import { findPreset } from './presets.ts';
import { readDay } from './read-day.ts';
import { nameColumns, type HistoryEntry, type MissingFact, type Reading } from './reading.ts';

export type ReadRow = (row: SheetRow, add: (entry: HistoryEntry) => void) => void;

interface Columns {
  names: readonly string[];
  indexOf: (field: keyof Reading['columns']) => number;
}

/**
 * Turns the lines after the header into entries. A line of a wide table has an entry for each day,
 * or for each keyword.
 */
export function createRowReader(
  header: readonly string[],
  reading: Reading,
  app: HistoryApp,
): ReadRow {
  const readEntry = createEntryReader(reading, app);
  if (reading.preset === 'asobeast-account') return createAccountReader(readEntry);
  const columns = columnsOf(header, reading);
  const cellOf = (row: SheetRow, index: number) =>
    index < 0 ? '' : unguardFormula(row.cells[index] ?? '').trim();
  const guard = findPreset(reading.preset)?.guard;
  const guardAt = guard === undefined ? -1 : columns.names.indexOf(guard.column);
  const isBroken = (row: SheetRow) => guardAt >= 0 && !guard!.shape.test(cellOf(row, guardAt));
  const at = {
    phrase: columns.indexOf('phrase'),
    country: columns.indexOf('country'),
    device: columns.indexOf('device'),
    date: columns.indexOf('date'),
    position: columns.indexOf('position'),
    depth: columns.indexOf('depth'),
    app: columns.indexOf('app'),
    failure: columns.indexOf('failure'),
  };
  const shared = (row: SheetRow) => ({
    line: row.line,
    column: null,
    country: cellOf(row, at.country),
    device: cellOf(row, at.device),
    depth: cellOf(row, at.depth),
    app: at.app < 0 ? null : cellOf(row, at.app),
    failure: cellOf(row, at.failure),
    isBroken: isBroken(row),
  });
  switch (reading.layout) {
    case 'rows':
      return (row, add) =>
        add(
          readEntry({
            ...shared(row),
            phrase: cellOf(row, at.phrase),
            date: cellOf(row, at.date),
            position: cellOf(row, at.position),
          }),
        );
    case 'day_columns': {
      const days = listDayColumns(columns, reading);
      return (row, add) => {
        const facts = { ...shared(row), phrase: cellOf(row, at.phrase) };
        for (const { index, name, day } of days)
          add(readEntry({ ...facts, column: name, date: day, position: cellOf(row, index) }));
      };
    }
    case 'keyword_columns': {
      const keywords = listKeywordColumns(columns, reading, Object.values(at));
      return (row, add) => {
        const facts = { ...shared(row), date: cellOf(row, at.date) };
        for (const { index, name, phrase, country } of keywords)
          add(
            readEntry({
              ...facts,
              column: name,
              phrase,
              country: facts.country || country,
              position: cellOf(row, index),
            }),
          );
      };
    }
  }
}

/** Lists the facts that must be stated before the file can be read. */
export function findMissing(header: readonly string[], reading: Reading): MissingFact[] {
  if (reading.preset === 'asobeast-account') return [];
  const columns = columnsOf(header, reading);
  const has = (field: keyof Reading['columns']) => columns.indexOf(field) >= 0;
  const missing: MissingFact[] = [];
  const hasDays = reading.layout === 'day_columns';
  const hasKeywords = reading.layout === 'keyword_columns';
  if (!hasKeywords && !has('phrase')) missing.push('phrase');
  if (reading.layout === 'rows' && !has('position')) missing.push('position');
  if (!hasDays && !has('date') && reading.date === undefined) missing.push('date');
  if ((hasDays || has('date')) && reading.dateFormat === undefined) missing.push('dateFormat');
  if (!hasKeywords && !has('country') && reading.country === undefined) missing.push('country');
  if (hasDays && reading.dateFormat !== undefined && listDayColumns(columns, reading).length === 0)
    missing.push('days');
  return missing;
}

function columnsOf(header: readonly string[], reading: Reading): Columns {
  const names = nameColumns(header);
  const lower = names.map((name) => name.toLowerCase());
  return {
    names,
    indexOf: (field) => {
      const name = reading.columns[field];
      if (name === undefined) return -1;
      const exact = names.indexOf(name);
      return exact >= 0 ? exact : lower.indexOf(name.toLowerCase());
    },
  };
}

interface DayColumn {
  index: number;
  name: string;
  day: UtcDay;
}

/** The columns whose name is a day in the stated format. */
function listDayColumns({ names }: Columns, { dateFormat }: Reading): DayColumn[] {
  if (dateFormat === undefined) return [];
  return names.flatMap((name, index) => {
    const day = readDay(unguardFormula(name), dateFormat);
    return day === null ? [] : [{ index, name, day }];
  });
}

/** All columns with a name that have no other meaning. `phrase (US)` also names the country. */
function listKeywordColumns(
  { names }: Columns,
  { country: ofAll, columns }: Reading,
  taken: readonly number[],
): { index: number; name: string; phrase: string; country: string }[] {
  return names.flatMap((name, index) => {
    if (taken.includes(index) || /^#\d+$/.test(name)) return [];
    const [, phrase, country] = /^(.+) \(([A-Za-z]{2})\)$/.exec(name) ?? [];
    const isNamed =
      phrase !== undefined &&
      country !== undefined &&
      ofAll === undefined &&
      columns.country === undefined;
    return [
      {
        index,
        name,
        phrase: unguardFormula(isNamed ? phrase : name),
        country: isNamed ? country : '',
      },
    ];
  });
}
