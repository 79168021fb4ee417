import type { z } from 'zod';
import type { imports } from '#contract/imports.ts';
import { lockMarketsOfApp } from '#db/queries/keywords/keyword-writes.ts';
import {
  applyNewDailyRanks,
  insertImportedDailyRanks,
} from '#db/queries/rankings/imported-daily-ranks.ts';
import { firstDay, isUtcDay, utcDayOf, type UtcDay } from '#lib/dates.ts';
import { writeAudit } from '#domain/base/audit/write-audit.ts';
import { inTenant, type Ctx } from '#domain/base/context.ts';
import { invalid } from '#domain/base/errors.ts';
import { listDeviceIds } from '#domain/base/ports.ts';
import { getApp } from '#domain/tracking/apps/get-app.ts';
import { parseTable, type ImportTable } from '#domain/tracking/keywords/parse-import-table.ts';
import { type Fault } from '#domain/base/text/phrase.ts';
import { normalisePhrase } from '#lib/normalise-phrase.ts';
import { marketKey } from '#domain/tracking/keywords/plan-addition.ts';
import { refuse } from '#domain/tracking/keywords/parse-keywords.ts';
import { listFollowed } from '#domain/tracking/rankings/followed-keywords.ts';
import { parseHistoryDailyRank } from './history-daily-rank.ts';
import type { ImportReport } from './import-tally.ts';

type Body = Extract<
  z.output<(typeof imports)['POST /workspace/imports']['body']>,
  { format: 'csv' }
>;
type Outcome = ImportReport['rows'][number];

interface HistoryDailyRank {
  keywordId: number;
  date: UtcDay;
  /** Null: the row has no check. */
  found: { position: number | null; depth: number } | null;
}

const errorsMax = 100;

/**
 * Imports another tool's history for tracked keywords of an app: past days, shown to this workspace
 * where the instance has no rank of its own. One invalid row rejects all. Throws not_found,
 * invalid_request.
 */
export async function importHistory(ctx: Ctx, body: Body): Promise<ImportReport> {
  const table = parseTable({ format: 'csv', text: body.text, delimiter: body.delimiter });
  requireColumns(table, body.mapping);
  return inTenant(ctx, async (tx) => {
    await lockMarketsOfApp(tx, ctx.workspaceId, body.appId);
    const keywords = await listFollowed(tx, ctx, body.appId, {});
    const { store } = await getApp(tx, ctx, body.appId);
    const rows = readRows(table, body, {
      devices: listDeviceIds(store),
      today: utcDayOf(ctx.clock.now()),
      idOf: new Map(keywords.map((keyword) => [marketKey(keyword), keyword.id])),
    });
    const ranks = rows.flatMap(({ keywordId, date, found }) =>
      found ? [{ keywordId, date, ...found, checkedAt: null, provider: null }] : [],
    );
    const inserted = await insertImportedDailyRanks(tx, ctx.workspaceId, {
      ranks,
      toPublish: false,
    });
    await applyNewDailyRanks(tx, ctx.workspaceId, inserted, {
      today: utcDayOf(ctx.clock.now()),
      countsAsSeen: false,
    });
    const added = new Set(inserted.map(({ keywordId, date }) => `${keywordId} ${date}`));
    const outcomes = rows.map(({ keywordId, date, found }, index): Outcome => {
      const outcome =
        found === null
          ? 'not_checked'
          : added.delete(`${keywordId} ${date}`)
            ? 'added'
            : 'existing';
      return { row: index + 1, keywordId, date, outcome };
    });
    await writeAudit(tx, ctx, {
      action: 'import.done',
      subject: `app ${body.appId}`,
      detail: { rows: rows.length },
    });
    const imported = outcomes.filter(({ outcome }) => outcome === 'added').length;
    const reason =
      imported === rows.length
        ? null
        : 'days that were imported before stay; rows without a position and a depth are not checks';
    return {
      tables: [{ table: 'rankings', rows: rows.length, imported, reason, anew: [] }],
      rows: outcomes,
      omitted: [],
    };
  });
}

function requireColumns({ columns }: ImportTable, mapping: Body['mapping']): void {
  for (const [name, column] of Object.entries(mapping)) {
    if (column !== undefined && !columns.includes(column))
      throw invalid(`mapping.${name}`, 'a column of the text', column.toWellFormed());
  }
}

function readRows(
  table: ImportTable,
  body: Body,
  known: { today: UtcDay; devices: readonly string[]; idOf: Map<string, number> },
): HistoryDailyRank[] {
  const faults: Fault[] = [];
  const ranks = table.rows.map((row, index): HistoryDailyRank => {
    const read = (name: keyof Body['mapping']): string => {
      const value = row.get(body.mapping[name] ?? '');
      return typeof value === 'string' ? value.trim() : '';
    };
    const blame = (name: string, message: string) => {
      if (faults.length < errorsMax)
        faults.push({
          code: 'invalid_request',
          issue: { path: `rows.${index + 1}.${name}`, message, limit: null, actual: null },
        });
    };
    const country = (body.mapping.country === undefined ? body.country : read('country')) ?? '';
    const device = read('device').toLowerCase() || (body.device ?? known.devices[0]!);
    if (!known.devices.includes(device)) blame('device', `one of ${known.devices.join(', ')}`);
    const phrase = normalisePhrase(read('phrase'));
    const keywordId = known.idOf.get(marketKey({ phrase, country, device }));
    if (keywordId === undefined)
      blame('phrase', 'a keyword of this app in this country on this device: track it first');
    const date = read('date');
    if (!isUtcDay(date) || date < firstDay || date >= known.today)
      blame('date', 'a day before today, YYYY-MM-DD');
    const found = parseHistoryDailyRank(read('position'), read('depth'), body.depth);
    if (typeof found === 'string') blame('position', found);
    return { keywordId: keywordId ?? 0, date, found: typeof found === 'string' ? null : found };
  });
  if (faults.length > 0) refuse(faults);
  return ranks;
}
