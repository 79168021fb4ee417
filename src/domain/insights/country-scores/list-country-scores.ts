import type { z } from 'zod';
import type { countryScores } from '#contract/country-scores.ts';
import type { AppRow } from '#db/queries/apps/apps.ts';
import {
  listCountryScoreRows,
  type CountryScoreRow,
} from '#db/queries/country-scores/country-scores.ts';
import { listKeywordsToRate, type ScoredKeywordRow } from '#db/queries/scores/keyword-scores.ts';
import type { Tx } from '#db/database.ts';
import { inTenant, type Ctx } from '#domain/base/context.ts';
import { readCursor, writeCursor } from '#domain/base/cursor.ts';
import { readDevice } from '#domain/base/device.ts';
import { AppError } from '#domain/base/errors.ts';
import { normalisePhrase } from '#lib/normalise-phrase.ts';
import { getApp } from '#domain/tracking/apps/get-app.ts';
import { loadPublished } from '#domain/tracking/popularity/load-published.ts';
import { readOwnWords } from '../scores/keyword-scores.ts';
import { scoreOpportunity } from '../scores/opportunity.ts';
import { trafficBasisOf } from '../scores/provenance.ts';

type Operation = (typeof countryScores)['GET /apps/{id}/country-scores'];
export type CountryScoresQuery = z.output<Operation['query']>;
export type CountryScoreList = z.input<Operation['responses'][200]>;
type Item = CountryScoreList['items'][number];
type Figures = Omit<Item, 'opportunity'>;

/**
 * The phrases that were requested in countries for an app, with its opportunity computed now.
 * Throws not_found, invalid_cursor, invalid_request.
 */
export async function listCountryScores(
  ctx: Ctx,
  appId: number,
  query: CountryScoresQuery,
): Promise<CountryScoreList> {
  const list = `country-scores ${appId} ${query.sort}`;
  const start = query.cursor === undefined ? 0 : readStart(list, query.cursor);
  const { store, items } = await inTenant(ctx, async (tx) => {
    const app = await getApp(tx, ctx, appId);
    const device = readDevice('query.device', query.device, app.store);
    return { store: app.store, items: await readItems(tx, ctx, app, { ...query, device }) };
  });
  const matching = items.filter((item) => matches(item, query));
  const sorted = matching.toSorted((a, b) => compareBy(query.sort, a, b));
  const end = start + query.limit;
  return {
    store,
    items: sorted.slice(start, end),
    nextCursor: end < sorted.length ? writeCursor(list, [end]) : null,
    total: sorted.length,
    waiting: items.filter(({ state }) => state === 'waiting').length,
  };
}

async function readItems(
  tx: Tx,
  ctx: Ctx,
  app: AppRow,
  { device, phrase, country }: CountryScoresQuery & { device: string },
): Promise<Item[]> {
  const rows = await listCountryScoreRows(tx, ctx.workspaceId, {
    appId: app.id,
    device,
    phrase: phrase === undefined ? null : normalisePhrase(phrase),
    country: country ?? null,
  });
  const all = { appId: app.id, device, country: country ?? null, keywordIds: null };
  const keywords = rows.length === 0 ? [] : await listKeywordsToRate(tx, ctx.workspaceId, all);
  const keyOf = (name: { phrase: string; country: string }) => `${name.country} ${name.phrase}`;
  const keywordOf = new Map(keywords.map((keyword) => [keyOf(keyword), keyword]));
  const named = keywords.filter((keyword) => rows.some((row) => keyOf(row) === keyOf(keyword)));
  const scores = await ctx.keywordScores.readProvenance(tx, named);
  const published = await loadPublished(
    tx,
    named.map(({ marketId, latestOn }) => ({ marketId, hasResults: latestOn !== null })),
  );
  const { listingId } = app;
  const wordsIn = await readOwnWords(
    tx,
    [...new Set(rows.map((row) => row.country))].map((code) => ({ listingId, country: code })),
  );
  return rows.map((row) => {
    const keyword = keywordOf.get(keyOf(row));
    const figures = keyword
      ? ofKeyword(row, keyword, {
          score: scores.get(keyword.id),
          published: published.get(keyword.marketId),
        })
      : ofRow(row);
    const { traffic, trafficBasis, difficulty, position, depth } = figures;
    const isRated = traffic !== null && difficulty !== null && depth !== null;
    const own = wordsIn({ listingId, country: row.country });
    const basis = trafficBasis ?? 'estimate';
    const input = isRated && {
      phrase: row.phrase,
      traffic,
      trafficBasis: basis,
      difficulty,
      position,
      depth,
    };
    return { ...figures, opportunity: input ? scoreOpportunity(input, own).opportunity : null };
  });
}

const nameOf = ({ phrase, country, device, requestedAt }: CountryScoreRow) => ({
  phrase,
  country,
  device,
  requestedAt: requestedAt.toISOString(),
});

/** The certainty as it is stored. */
type Certainty = Pick<Item, 'ranges' | 'published' | 'trafficBasis'> & {
  confidences: NonNullable<Item['confidences']>;
};

function ofRow(row: CountryScoreRow): Figures {
  const certainty = row.certainty as Certainty | null;
  return {
    ...nameOf(row),
    state: stateOf(row),
    keywordId: null,
    scoredAt: row.scoredAt?.toISOString() ?? null,
    position: row.position,
    depth: row.depth,
    traffic: row.traffic,
    difficulty: row.difficulty,
    ranges: certainty?.ranges ?? { traffic: null, difficulty: null },
    confidences: certainty?.confidences ?? null,
    trafficBasis: row.traffic === null ? null : (certainty?.trafficBasis ?? 'estimate'),
    published: certainty?.published ?? null,
    failure: row.failedAt && {
      reason: row.failure as NonNullable<Item['failure']>['reason'],
      at: row.failedAt.toISOString(),
    },
  };
}

function stateOf({ isOpen, failedAt, scoredAt }: CountryScoreRow): Item['state'] {
  if (isOpen) return 'waiting';
  if (failedAt) return 'failed';
  return scoredAt ? 'scored' : 'not_scored';
}

type KeywordScore =
  Awaited<ReturnType<Ctx['keywordScores']['readProvenance']>> extends Map<number, infer Score>
    ? Score
    : never;

/**
 * The figures that tracking has; while it has none, those that were requested before it was
 * tracked.
 */
function ofKeyword(
  row: CountryScoreRow,
  keyword: ScoredKeywordRow,
  known: { score: KeywordScore | undefined; published: Item['published'] | undefined },
): Figures {
  const { score } = known;
  const before = ofRow(row);
  const isChecked = keyword.latestOn !== null && keyword.latestDepth !== null;
  return {
    ...before,
    state: 'tracked',
    keywordId: keyword.id,
    ...(isChecked && { position: keyword.latestPosition, depth: keyword.latestDepth }),
    ...(score && {
      scoredAt: score.scoredAt,
      traffic: score.traffic,
      difficulty: score.difficulty,
      ranges: {
        traffic: score.provenance.ranges?.traffic ?? null,
        difficulty: score.provenance.ranges?.difficulty ?? null,
      },
      confidences: score.provenance.confidences,
      trafficBasis: score.traffic === null ? null : trafficBasisOf(score.provenance.evidence),
      published: known.published ?? null,
    }),
    failure: null,
  };
}

function matches(item: Item, query: CountryScoresQuery): boolean {
  if (query.state !== undefined && item.state !== query.state) return false;
  if (query.minTraffic !== undefined && (item.traffic ?? -1) < query.minTraffic) return false;
  return query.maxDifficulty === undefined || (item.difficulty ?? 101) <= query.maxDifficulty;
}

function readStart(list: string, cursor: string): number {
  const [start] = readCursor(list, cursor, 1);
  if (!Number.isSafeInteger(start) || (start as number) < 1) throw new AppError('invalid_cursor');
  return start as number;
}

/** Unknown values come last in both directions; ties by phrase and country. */
function compareBy(sort: CountryScoresQuery['sort'], a: Item, b: Item): number {
  const field = sort.replace('-', '') as
    | 'opportunity'
    | 'traffic'
    | 'difficulty'
    | 'position'
    | 'country'
    | 'phrase';
  const [left, right] = [a[field], b[field]];
  if (left === null || right === null)
    return Number(left === null) - Number(right === null) || compareNames(a, b);
  const order = left < right ? -1 : left > right ? 1 : 0;
  return (sort.startsWith('-') ? -order : order) || compareNames(a, b);
}

const compareNames = (a: Item, b: Item): number => {
  const [left, right] = [`${a.phrase} ${a.country}`, `${b.phrase} ${b.country}`];
  return left < right ? -1 : left > right ? 1 : 0;
};
