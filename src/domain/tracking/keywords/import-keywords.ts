import type { z } from 'zod';
import type { keywords } from '#contract/keywords.ts';
import type { Ctx } from '#domain/base/context.ts';
import { invalid } from '#domain/base/errors.ts';
import { addRequestedKeywords } from './add-keywords.ts';
import { importColumns, parseImportRows, type ColumnNames } from './parse-import-rows.ts';
import { parseTable, type ImportTable } from './parse-import-table.ts';
import { marketKey, readKeywordDefaults } from './plan-addition.ts';

type Operation = (typeof keywords)['POST /apps/{id}/keywords/import'];
export type ImportBody = z.output<Operation['body']>;
export type ImportReport = z.input<Operation['responses'][200]>;

/**
 * Tracks the keywords of a file, up to 5,000 rows, in one transaction. One invalid row rejects all.
 * Histories of other tools are not imported here, because positions are shared facts. Throws
 * invalid_request and the errors of adding keywords.
 */
export async function importKeywords(
  ctx: Ctx,
  appId: number,
  body: ImportBody,
): Promise<ImportReport> {
  const table = parseTable(body);
  const names = nameColumns(table, body.mapping);
  const { depth, devices } = await readKeywordDefaults(ctx, appId);
  const requested = parseImportRows(table, names, { ...body, devices, depth: body.depth ?? depth });
  const addition = await addRequestedKeywords(ctx, appId, requested);
  const [added, existing] = [indexByMarket(addition.added), indexByMarket(addition.existing)];
  const named = new Set<string>();
  const rows = requested.map(({ phrase, country, device }, index) => {
    const key = marketKey({ phrase, country, device });
    const outcome = named.has(key) ? 'duplicate' : added.has(key) ? 'added' : 'existing';
    named.add(key);
    return {
      row: index + 1,
      phrase,
      country,
      device,
      outcome,
      keywordId: (added.get(key) ?? existing.get(key))!,
    } as const;
  });
  return {
    rows,
    added: addition.added.length,
    existing: addition.existing.length,
    duplicates: rows.length - named.size,
    ignoredColumns: table.columns
      .filter((column) => !Object.values(names).includes(column))
      .slice(0, 100),
    job: addition.job,
    budgetDelta: addition.budgetDelta,
  };
}

/** A mapped column must exist. An unmapped one is found by its own name, if it exists. */
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
  records: readonly { id: number; phrase: string; country: string; device: string }[],
): Map<string, number> {
  return new Map(records.map((record) => [marketKey(record), record.id]));
}
