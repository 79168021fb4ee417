import { formatPosition } from '#lib/format-position.ts';
import type { KeywordRecord } from '#domain/tracking/keywords/keyword-records.ts';
import { listKeywords } from '#domain/tracking/keywords/list-keywords.ts';
import { sourceOf, type Columns, type ExportScope } from '../export-source.ts';

const pageSize = 500;

const columns: Columns<KeywordRecord> = {
  id: (item) => item.id,
  phrase: (item) => item.phrase,
  country: (item) => item.country,
  device: (item) => item.device,
  depth: (item) => item.depth,
  tags: (item) => item.tags.join(';'),
  note: (item) => item.note,
  favorite: (item) => item.favorite,
  paused: (item) => item.paused,
  createdAt: (item) => item.createdAt,
  latestDate: (item) => item.latest?.date ?? null,
  latestPosition: (item) => item.latest?.position ?? null,
  latestDepth: (item) => item.latest?.depth ?? null,
  latestProvider: (item) => item.latest?.provider ?? null,
  latestDisplay: (item) => (item.latest ? formatPosition(item.latest) : 'not checked'),
  bestPosition: (item) => item.best?.position ?? null,
  bestDate: (item) => item.best?.date ?? null,
  change1d: (item) => item.change1d.positionsGained,
  change7d: (item) => item.change7d.positionsGained,
  change30d: (item) => item.change30d.positionsGained,
  traffic: (item) => item.traffic,
  trafficLow: (item) => item.trafficRange?.low ?? null,
  trafficHigh: (item) => item.trafficRange?.high ?? null,
  difficulty: (item) => item.difficulty,
  difficultyLow: (item) => item.difficultyRange?.low ?? null,
  difficultyHigh: (item) => item.difficultyRange?.high ?? null,
  opportunity: (item) => item.opportunity,
};

async function* readPages({ ctx, app }: ExportScope): AsyncGenerator<KeywordRecord[]> {
  let cursor: string | undefined;
  do {
    const page = await listKeywords(ctx, app.id, { limit: pageSize, sort: 'phrase', cursor });
    yield page.items;
    cursor = page.nextCursor ?? undefined;
  } while (cursor !== undefined);
}

/** The live keywords in their current state. */
export const keywords = sourceOf<KeywordRecord>({ columns, hasDays: false, pages: readPages });
