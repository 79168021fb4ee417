import type { z } from 'zod';
import type { keywords } from '../../contract/keywords.ts';
import type { Ctx } from '../context.ts';
import { invalid } from '../errors.ts';
import { getSettings } from '../settings/read-settings.ts';
import { addWanted } from './add-keywords.ts';
import { importColumns, readImportRows, type ColumnNames } from './import-rows.ts';
import { readTable, type ImportTable } from './import-table.ts';
import { marketKey } from './plan-addition.ts';

type Operation = (typeof keywords)['POST /apps/{id}/keywords/import'];
export type ImportBody = z.output<Operation['body']>;
export type ImportReport = z.input<Operation['responses'][200]>;

/**
 * Follows the keywords of a file, up to 5,000 rows, in one transaction; one row that is at fault refuses all of them.
 * Histories of other tools are not taken over: positions are shared facts, and nobody may write another's.
 * Throws invalid_request and what adding keywords throws.
 */
export async function importKeywords(
  ctx: Ctx,
  appId: number,
  body: ImportBody,
): Promise<ImportReport> {
  const table = readTable(body);
  const names = nameColumns(table, body.mapping);
  const wanted = readImportRows(table, names, {
    ...body,
    depth: body.depth ?? (await getSettings(ctx)).defaultDepth,
  });
  const answer = await addWanted(ctx, appId, wanted);
  const [added, existing] = [indexByMarket(answer.added), indexByMarket(answer.existing)];
  const named = new Set<string>();
  const rows = wanted.map(({ phrase, country }, index) => {
    const key = marketKey({ phrase, country });
    const outcome = named.has(key) ? 'duplicate' : added.has(key) ? 'added' : 'existing';
    named.add(key);
    return {
      row: index + 1,
      phrase,
      country,
      outcome,
      keywordId: (added.get(key) ?? existing.get(key))!,
    } as const;
  });
  return {
    rows,
    added: answer.added.length,
    existing: answer.existing.length,
    duplicates: rows.length - named.size,
    ignoredColumns: table.columns
      .filter((column) => !Object.values(names).includes(column))
      .slice(0, 100),
    job: answer.job,
    budgetDelta: answer.budgetDelta,
  };
}

/** A column that is named has to be there; one that is not is taken by its own name, if it is there. */
function nameColumns({ columns }: ImportTable, mapping: ImportBody['mapping']): ColumnNames {
  const missing = importColumns.find(
    (name) => mapping[name] !== undefined && !columns.includes(mapping[name]),
  );
  if (missing !== undefined)
    throw invalid(`mapping.${missing}`, 'a column of the text', mapping[missing]);
  const names = importColumns.map(
    (name) => [name, mapping[name] ?? (columns.includes(name) ? name : undefined)] as const,
  );
  const used = names.flatMap(([, column]) => column ?? []);
  if (new Set(used).size < used.length) throw invalid('mapping', 'each column once');
  const found: ColumnNames = Object.fromEntries(names.filter(([, column]) => column !== undefined));
  if (found.phrase === undefined)
    throw invalid('mapping.phrase', 'a column of the text', columns.join(', ').slice(0, 200));
  return found;
}

function indexByMarket(
  records: readonly { id: number; phrase: string; country: string }[],
): Map<string, number> {
  return new Map(records.map((record) => [marketKey(record), record.id]));
}
