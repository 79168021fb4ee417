import type { z } from 'zod';
import type { exportFormat, exportKind } from '#contract/exports.ts';
import type { UtcDay } from '#lib/dates.ts';
import { getApp } from '#domain/tracking/apps/get-app.ts';
import { inTenant, type Ctx } from '#domain/base/context.ts';
import { invalid } from '#domain/base/errors.ts';
import { maxListDays, parseDayRange, type DayRange } from '#domain/base/day-window.ts';
import { isFactKind } from '#domain/tracking/imported-facts/fact-kinds.ts';
import type { ExportScope, ExportSource } from './export-source.ts';
import { categoryRanks } from './sources/charts.ts';
import { changes } from './sources/changes.ts';
import { keywords } from './sources/keywords.ts';
import { listingDays } from './sources/listing-days.ts';
import { rankings } from './sources/rankings.ts';
import { reviews } from './sources/reviews.ts';
import { scores } from './sources/scores.ts';
import { serps } from './sources/serps.ts';
import { withImportedFacts } from './with-imported-facts.ts';
import { writePages } from './write-pages.ts';

export type ExportKind = z.output<typeof exportKind>;
export type ExportFormat = z.output<typeof exportFormat>;

export const exportSources: Record<ExportKind, ExportSource> = {
  rankings,
  keywords,
  serp: serps,
  reviews,
  changes,
  'category-ranks': categoryRanks,
  scores,
  'listing-days': listingDays,
};

export interface OpenExport {
  /** Without its extension. */
  fileName: string;
  /** The text in chunks; a page is read when the previous one was consumed. */
  text: AsyncGenerator<string>;
}

/**
 * An app's data of one kind. The first page is read before this returns, so that errors are thrown:
 * not_found, invalid_request. Pages are read one after another, so later ones may include new data.
 */
export async function openAppExport(
  ctx: Ctx,
  appId: number,
  kind: ExportKind,
  query: DayRange & { format: ExportFormat },
): Promise<OpenExport> {
  const source = exportSources[kind];
  if (!source.hasDays && (query.from ?? query.to) !== undefined)
    throw invalid('query.from', `${kind} are exported as they stand now`);
  const { from, to } = parseDayRange(query, ctx.clock.now(), maxListDays);
  const app = await inTenant(ctx, (tx) => getApp(tx, ctx, appId));
  const scope = { ctx, app: { id: app.id, listingId: app.listingId, store: app.store }, from, to };
  const pages = readAll(kind, scope)[Symbol.asyncIterator]();
  const first = await pages.next();
  const days: { from: UtcDay; to: UtcDay } | null = source.hasDays ? { from, to } : null;
  return {
    fileName: `${kind}-${app.id}${days ? `-${from}-${to}` : ''}`,
    text: writePages(
      query.format,
      source.columns,
      { kind, appId: app.id, ...days },
      resume(first, pages),
    ),
  };
}

function readAll(kind: ExportKind, scope: ExportScope): AsyncIterable<object[]> {
  const { ctx, app, from, to } = scope;
  const own = exportSources[kind].pages(scope);
  const table = tableOf(kind);
  if (!isFactKind(table)) return own;
  return withImportedFacts(ctx, { kind: table, appId: app.id, from, to }, own);
}

/** The name of a kind in the file of a workspace. */
export const tableOf = (kind: ExportKind): string => kind.replace('-', '_');

async function* resume<T>(first: IteratorResult<T>, rest: AsyncIterator<T>): AsyncGenerator<T> {
  try {
    for (let next = first; !next.done; next = await rest.next()) yield next.value;
  } finally {
    await rest.return?.();
  }
}
