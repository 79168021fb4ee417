import { writeCsv } from '#lib/csv-writer.ts';
import { stringifyExact } from '#lib/json.ts';
import type { Columns } from './export-source.ts';

type Pages = AsyncIterable<object[]>;

/** The text of an export. `head` is the metadata of a JSON file before its items. */
export function writePages(
  format: 'json' | 'ndjson' | 'csv',
  columns: Columns<object>,
  head: object,
  pages: Pages,
): AsyncGenerator<string> {
  if (format === 'csv') return writeCsvPages(columns, pages);
  return format === 'ndjson' ? writeLines(pages) : writeObject(head, pages);
}

/** `count` comes last, so that a truncated file is invalid JSON. */
async function* writeObject(head: object, pages: Pages): AsyncGenerator<string> {
  yield `${stringifyExact(head).slice(0, -1)},"items":[`;
  let count = 0;
  for await (const items of pages) {
    if (items.length === 0) continue;
    yield `${count === 0 ? '\n' : ',\n'}${items.map(stringifyExact).join(',\n')}`;
    count += items.length;
  }
  yield `\n],"count":${count}}\n`;
}

async function* writeLines(pages: Pages): AsyncGenerator<string> {
  for await (const items of pages)
    if (items.length > 0) yield `${items.map(stringifyExact).join('\n')}\n`;
}

async function* writeCsvPages(columns: Columns<object>, pages: Pages): AsyncGenerator<string> {
  const readers = Object.values(columns);
  yield writeCsv([Object.keys(columns)]);
  for await (const items of pages)
    if (items.length > 0) yield writeCsv(items.map((item) => readers.map((read) => read(item))));
}
