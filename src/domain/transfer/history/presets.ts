import type { z } from 'zod';
import type { historyImports } from '#contract/history-imports.ts';
import type { HistoryPreset } from '#contract/choices.ts';
import type { Reading } from './reading.ts';

type Description = z.input<
  (typeof historyImports)['GET /history-imports/presets']['responses'][200]
>['items'][number];

export interface Preset extends Omit<Description, 'id'> {
  id: HistoryPreset;
  /** Column names that must all be there, in lower case. */
  required: readonly string[];
  /** A whole header that has no fixed names. */
  matches?: (columns: readonly string[]) => boolean;
  reading: Partial<Reading>;
  /** A column whose cells have this shape; another one says that the row is shifted. */
  guard?: { column: string; shape: RegExp };
}

const openAso: Pick<Preset, 'tool' | 'file' | 'notFound' | 'depth' | 'dateFormat' | 'needs'> = {
  tool: 'OpenASO',
  file: 'csv',
  notFound: ['1000'],
  depth: 'unknown',
  dateFormat: 'ymd',
  needs: [],
};
const openAsoColumns = {
  app: 'App Id',
  device: 'Platform',
  phrase: 'Keyword',
  country: 'Store Domain',
  position: 'Ranking',
} as const;
const notPositionsOfStores =
  'These are positions in a web search, not in a store. Import them only to keep them.';

/** Files whose header was seen in what their tool writes. Other files are mapped by hand. */
const list: readonly Omit<Preset, 'columns'>[] = [
  {
    id: 'openaso-history',
    ...openAso,
    history: true,
    note: 'Only keywords with a position on the first and on the last day are in the file.',
    required: ['app id', 'platform', 'keyword', 'store domain', 'observed at', 'ranking', 'error'],
    reading: {
      columns: { ...openAsoColumns, date: 'Observed At', failure: 'Error' },
      dateFormat: 'ymd',
      notFound: ['1000'],
    },
  },
  {
    id: 'openaso-keywords',
    ...openAso,
    history: false,
    note: null,
    required: ['app id', 'platform', 'keyword', 'store domain', 'last update', 'ranking', 'tags'],
    reading: {
      columns: { ...openAsoColumns, date: 'Last Update' },
      dateFormat: 'ymd',
      notFound: ['1000'],
    },
  },
  {
    id: 'respectaso',
    tool: 'RespectASO',
    file: 'csv',
    history: false,
    notFound: [''],
    depth: 'unknown',
    dateFormat: 'ymd',
    needs: [],
    note:
      'An empty rank is also that of a phrase without an app. The file does not have the id of ' +
      'the app: export one app at a time.',
    required: ['keyword', 'app', 'country', 'difficulty label', 'rank', 'competitors', 'date'],
    reading: {
      columns: { phrase: 'Keyword', country: 'Country', position: 'Rank', date: 'Date' },
      dateFormat: 'ymd',
      notFound: [''],
    },
    // Without an app nothing was looked for.
    guard: { column: 'App', shape: /\S/ },
  },
  {
    id: 'asobeast-rankings',
    tool: 'AsoBeast',
    file: 'csv',
    history: true,
    notFound: [],
    depth: 'in_file',
    dateFormat: 'ymd',
    needs: [],
    note: null,
    required: ['date'],
    matches: (columns) =>
      columns[0] === 'date' &&
      columns.length > 1 &&
      columns.slice(1).every((name) => /^.+ \([A-Z]{2}\)( \(\d+\))?$/.test(name)),
    reading: { layout: 'keyword_columns', columns: { date: 'date' }, dateFormat: 'ymd' },
  },
  {
    id: 'asobeast-keywords',
    tool: 'AsoBeast',
    file: 'csv',
    history: false,
    notFound: [],
    depth: 'in_file',
    dateFormat: null,
    needs: ['date', 'country'],
    note: null,
    required: ['keyword', 'bucket', 'position', 'delta1d', 'delta7d', 'volatility'],
    reading: { columns: { phrase: 'keyword', position: 'position' } },
  },
  {
    id: 'asobeast-account',
    tool: 'AsoBeast',
    file: 'ndjson',
    history: true,
    notFound: ['null'],
    depth: 'in_file',
    dateFormat: 'ymd',
    needs: [],
    note: 'Positions of phrases that are no longer tracked there cannot be read.',
    required: [],
    matches: ([line]) => line?.startsWith('{"manifest":{"workspaceId":') ?? false,
    reading: { dateFormat: 'ymd' },
  },
  {
    id: 'serpbear',
    tool: 'SerpBear',
    file: 'csv',
    history: false,
    notFound: ['-'],
    depth: 'unknown',
    dateFormat: 'ymd',
    needs: [],
    note: notPositionsOfStores,
    required: ['id', 'keyword', 'position', 'url', 'country', 'city', 'device', 'updated', 'added'],
    reading: {
      columns: { phrase: 'Keyword', country: 'Country', position: 'Position', date: 'Updated' },
      dateFormat: 'ymd',
      notFound: ['-'],
    },
    // Nothing is quoted there, so a comma in a phrase shifts the cells after it.
    guard: { column: 'URL', shape: /^(-|https?:.*)$/ },
  },
  {
    id: 'astro',
    tool: 'Astro',
    file: 'csv',
    history: false,
    notFound: ['1000'],
    depth: 'unknown',
    dateFormat: null,
    needs: ['date', 'country'],
    note: null,
    required: ['keyword', 'popularity', 'difficulty', 'position'],
    matches: (columns) =>
      columns.every((name) =>
        /^(keyword|notes|popularity|difficulty|position|apps in ranking)$/i.test(name),
      ),
    reading: { columns: { phrase: 'Keyword', position: 'Position' }, notFound: ['1000'] },
  },
  {
    id: 'converted',
    tool: 'toprung convert-history',
    file: 'csv',
    history: true,
    notFound: ['not found'],
    depth: 'unknown',
    dateFormat: 'ymd',
    needs: [],
    note: null,
    required: ['app id', 'keyword', 'country', 'observed on', 'position'],
    reading: {
      columns: {
        app: 'App Id',
        phrase: 'Keyword',
        country: 'Country',
        date: 'Observed On',
        position: 'Position',
        // Only in files from a database that names the devices of a store.
        device: 'Device',
      },
      dateFormat: 'ymd',
      notFound: ['not found'],
    },
  },
];

const columnsOf = ({ reading, required }: Omit<Preset, 'columns'>): string[] => [
  ...new Set([
    ...Object.values(reading.columns ?? {}).flatMap((name) =>
      name !== undefined && required.includes(name.toLowerCase()) ? [name] : [],
    ),
    ...(reading.columns ? [] : required),
  ]),
];

const presets: readonly Preset[] = list.map((preset) => ({
  ...preset,
  columns: columnsOf(preset),
}));

export const findPreset = (id: HistoryPreset | null): Preset | null =>
  presets.find((preset) => preset.id === id) ?? null;

/** The preset of a header, or null: then the columns are mapped by hand. */
export function recognisePreset(columns: readonly string[]): Preset | null {
  const names = new Set(columns.map((name) => name.toLowerCase()));
  return (
    presets.find(
      ({ required, matches }) =>
        required.every((name) => names.has(name)) && (matches?.(columns) ?? true),
    ) ?? null
  );
}

export function describePresets(): Description[] {
  return presets.map((preset) => ({
    id: preset.id,
    tool: preset.tool,
    file: preset.file,
    columns: preset.columns,
    history: preset.history,
    notFound: preset.notFound,
    depth: preset.depth,
    dateFormat: preset.dateFormat,
    needs: preset.needs,
    note: preset.note,
  }));
}
