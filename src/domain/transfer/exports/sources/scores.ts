import type { Tx } from '#db/database.ts';
import { listScoreRows } from '#db/queries/scores/keyword-scores.ts';
import { utcDayOf } from '#lib/dates.ts';
import { inTenant } from '#domain/base/context.ts';
import type { StoreName } from '#domain/base/ports.ts';
import { listFollowed, type Followed } from '#domain/tracking/rankings/followed-keywords.ts';
import { trackedSpans } from '#domain/tracking/rankings/tracking-periods.ts';
import { toItem, type ScoreList } from '#domain/insights/scores/list-scores.ts';
import { chunk, sourceOf, type Columns, type ExportScope } from '../export-source.ts';

type ScoreItem = ScoreList['items'][number] & {
  keywordId: number;
  phrase: string;
  country: string;
  device: string;
  store: StoreName;
};

const keywordsPerPage = 20;
const rowsPerRead = 500;

const columns: Columns<ScoreItem> = {
  scoredAt: (item) => item.scoredAt,
  keywordId: (item) => item.keywordId,
  phrase: (item) => item.phrase,
  store: (item) => item.store,
  country: (item) => item.country,
  device: (item) => item.device,
  traffic: (item) => item.traffic,
  difficulty: (item) => item.difficulty,
  formula: (item) => item.provenance?.formula ?? null,
  observedAt: (item) => item.provenance?.observedAt ?? null,
  confidence: (item) => item.provenance?.confidence ?? null,
  trafficConfidence: (item) => item.provenance?.confidences.traffic ?? null,
  trafficLow: (item) => item.provenance?.ranges?.traffic?.low ?? null,
  trafficHigh: (item) => item.provenance?.ranges?.traffic?.high ?? null,
  difficultyConfidence: (item) => item.provenance?.confidences.difficulty ?? null,
  difficultyLow: (item) => item.provenance?.ranges?.difficulty?.low ?? null,
  difficultyHigh: (item) => item.provenance?.ranges?.difficulty?.high ?? null,
  difficultyTop5: (item) => item.provenance?.difficulties?.top5?.score ?? null,
  difficultyTop20: (item) => item.provenance?.difficulties?.top20?.score ?? null,
  missing: (item) => item.provenance?.missing.join(';') ?? null,
};

/** By keyword, newest first: scores from evidence of days when the keyword was tracked. */
async function* readPages(scope: ExportScope): AsyncGenerator<ScoreItem[]> {
  const { ctx, app, withArchived } = scope;
  const keywords = await inTenant(ctx, (tx) => listFollowed(tx, ctx, app.id, { withArchived }));
  for (const part of chunk(keywords, keywordsPerPage)) {
    yield await inTenant(ctx, async (tx) => {
      const items: ScoreItem[] = [];
      for (const keyword of part) items.push(...(await readScores(tx, scope, keyword)));
      return items;
    });
  }
}

async function readScores(
  tx: Tx,
  { ctx, app, from, to }: ExportScope,
  keyword: Followed,
): Promise<ScoreItem[]> {
  const { id: keywordId, phrase, country, device, marketId, trackingPeriods } = keyword;
  const of = { keywordId, phrase, country, device, store: app.store };
  const filter = {
    marketId,
    from,
    to,
    spans: trackedSpans(trackingPeriods, utcDayOf(ctx.clock.now())),
  };
  const items: ScoreItem[] = [];
  for (let before: number | null = null; ;) {
    const { rows } = await listScoreRows(tx, { ...filter, before, limit: rowsPerRead });
    items.push(...rows.map((row) => ({ ...of, ...toItem(row, trackingPeriods) })));
    if (rows.length < rowsPerRead) return items;
    before = rows.at(-1)!.id;
  }
}

export const scores = sourceOf<ScoreItem>({ columns, hasDays: true, pages: readPages });
