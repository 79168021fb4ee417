import type { ActionType } from '#contract/actions.ts';
import { keyedBy } from '#domain/insights/actions/rule.ts';
import type { Account, TestApi } from '../harness/api.ts';
import { parseExact, stringifyExact } from '#lib/json.ts';

type Row = Record<string, unknown>;
interface Line {
  table: string;
  row: Row;
}
/** The name of the row that an id of the instance means. */
type NameOf = (table: string, id: unknown) => unknown;

const own = { id: 'an id', created_at: 'the instant of the import', listing_id: 'an id' };

/**
 * Members that an import into another instance changes, with the reason. Everything else must be
 * equal, in every table of the file: those that are not named here differ in nothing.
 */
const differing: Record<string, Record<string, string>> = {
  apps: { ...own, 'listing.name': 'known after the first reading here' },
  keywords: { ...own, market_id: 'an id', tracking_periods: 'tracking starts with the import' },
  competitors: {
    ...own,
    'listing.name': 'known after the first reading here',
    followed_at: 'the instant of the import',
    tracking_periods: 'tracking starts with the import',
  },
  annotations: { id: 'an id' },
  keyword_fields: { id: 'an id', saved_by: 'members belong to the instance' },
  listing_drafts: { id: 'an id' },
  listing_draft_versions: { id: 'an id', saved_by: 'members belong to the instance' },
  webhooks: { id: 'an id' },
  actions: { id: 'an id' },
  events: {
    id: 'an id',
    key: 'made of ids',
    'body.workspaceId': 'an id',
  },
  reviews: { id: 'an id' },
  changes: { id: 'an id' },
  snapshots: { id: 'an id' },
};

/** Tables whose rows are in the file for reading only: they belong to the instance. */
export const readOnlyTables = ['audit'];

const references: Record<string, string> = {
  app_id: 'apps',
  appId: 'apps',
  linked_app_id: 'apps',
  trackedAppId: 'apps',
  appIds: 'apps',
  keyword_id: 'keywords',
  keywordId: 'keywords',
  keyword_ids: 'keywords',
  keywordIds: 'keywords',
  competitorId: 'competitors',
  draft_id: 'listing_drafts',
  actionId: 'actions',
  webhookId: 'webhooks',
  snapshotId: 'snapshots',
  reviewId: 'reviews',
  exampleReviewIds: 'reviews',
};

const nameParts: Record<string, (row: Row, nameOf: NameOf) => unknown[]> = {
  apps: ({ listing }) => [(listing as Row)['storeAppId']],
  keywords: (row, nameOf) => [
    nameOf('apps', row['app_id']),
    row['country'],
    row['device'],
    row['phrase'],
  ],
  competitors: (row, nameOf) => [
    nameOf('apps', row['app_id']),
    (row['listing'] as Row)['storeAppId'],
  ],
  listing_drafts: (row, nameOf) => [nameOf('apps', row['app_id']), row['name']],
  webhooks: ({ url, created_at }) => [url, created_at],
  actions: ({ type, title, opened_at }) => [type, title, opened_at],
  reviews: ({ country, storeReviewId }) => [country, storeReviewId],
  snapshots: (row, nameOf) => [
    nameOf('apps', row['appId']),
    nameOf('competitors', row['competitorId']),
    row['country'],
    row['takenAt'],
  ],
};

/**
 * The rows of an export by table, as sorted texts without what differs between instances: every
 * reference is the name of the row that it means.
 */
export function readContent(file: string): Map<string, string[]> {
  const lines = file
    .trimEnd()
    .split('\n')
    .slice(1, -1)
    .map((line) => parseExact(line) as Line);
  const names = new Map<string, string>();
  const nameOf: NameOf = (table, id) =>
    typeof id === 'number' ? (names.get(`${table} ${id}`) ?? 'gone') : id;
  for (const { table, row } of lines) {
    const parts = nameParts[table]?.(row, nameOf);
    if (parts) names.set(`${table} ${String(row['id'])}`, parts.map(String).join(' '));
  }
  const texts = lines.map(({ table, row }) => {
    const whole = table === 'events' ? { ...row, body: parseExact(String(row['body'])) } : row;
    // The number of results comes from stored results, which an import keeps as facts of its own.
    if (table === 'rankings') delete whole['resultCount'];
    const keyed = table === 'actions' ? { ...whole, key: renameKey(row['key'], nameOf) } : whole;
    return { table, text: stringifyExact(rename(keyed, { nameOf, path: [], table })) };
  });
  return new Map(
    [...Map.groupBy(texts, ({ table }) => table)].map(([table, list]) => [
      table,
      list.map(({ text }) => text).toSorted(),
    ]),
  );
}

interface Renaming {
  nameOf: NameOf;
  table: string;
  path: readonly string[];
}

/** Members are sorted, so that their order does not matter. */
function rename(value: unknown, at: Renaming): unknown {
  if (typeof value === 'string') return renamePaths(value, at.nameOf);
  if (Array.isArray(value)) return value.map((member) => rename(member, at));
  if (typeof value !== 'object' || value === null) return value;
  const members = Object.entries(value)
    .map(([name, member]) => ({ name, member, path: [...at.path, name] }))
    .filter(({ path }) => differing[at.table]?.[path.join('.')] === undefined)
    .toSorted((a, b) => (a.name < b.name ? -1 : 1));
  return Object.fromEntries(
    members.map(({ name, member, path }) => [name, renameMember(name, member, { ...at, path })]),
  );
}

function renameMember(name: string, member: unknown, at: Renaming): unknown {
  // The app of an event is { id, name }.
  const table = at.path.join('.') === 'body.app.id' ? 'apps' : references[name];
  if (table === undefined) return rename(member, at);
  return Array.isArray(member)
    ? member.map((id) => at.nameOf(table, id))
    : at.nameOf(table, member);
}

function renamePaths(text: string, nameOf: NameOf): string {
  return text.replace(
    /\/(apps|keywords|webhooks|actions|reviews)\/(\d+)/g,
    (_, table: string, id: string) => `/${table}/${String(nameOf(table, Number(id)))}`,
  );
}

/** `rank-drop:1:2`: the app, then a keyword, a competitor or a text. */
function renameKey(key: unknown, nameOf: NameOf): string {
  const [type, appId, ...rest] = String(key).split(':');
  const nouns = keyedBy[type as ActionType];
  const named = rest.map((part, index) =>
    nouns[index] === undefined ? part : nameOf(`${nouns[index]}s`, Number(part)),
  );
  return [type, nameOf('apps', Number(appId)), ...named].join(':');
}

/** The first rows that only one of two contents has, by table; empty for equal ones. */
export function findDifferences(
  a: ReadonlyMap<string, readonly string[]>,
  b: ReadonlyMap<string, readonly string[]>,
): string[] {
  return [...new Set([...a.keys(), ...b.keys()])].flatMap((table) => {
    const [before, after] = [a.get(table) ?? [], b.get(table) ?? []];
    const at = before.findIndex((row, index) => row !== after[index]);
    if (at === -1 && before.length === after.length) return [];
    return [`${table}: ${before.length} rows, then ${after.length}\n${before[at]}\n${after[at]}`];
  });
}

const idMembers = ['id', 'appId', 'keywordId', 'competitorId', 'snapshotId'];
const withoutIds = (value: object): unknown =>
  JSON.parse(
    JSON.stringify(value, (name, member: unknown) =>
      idMembers.includes(name) && typeof member === 'number'
        ? 'an id'
        : name === 'keywordIds'
          ? (member as number[]).length
          : member,
    ),
  );

/** All items of a list, page by page, without the ids of the instance. */
async function readPages<Query>(
  call: (query: Query & { limit: number; cursor?: string }) => Promise<{
    items: object[];
    nextCursor: string | null;
    total: number | null;
  }>,
  query: Query & { limit: number },
): Promise<{ items: unknown[]; total: number | null }> {
  const items: unknown[] = [];
  for (let cursor: string | undefined; ;) {
    const page = await call(cursor === undefined ? query : { ...query, cursor });
    items.push(...page.items.map(withoutIds));
    if (page.nextCursor === null) return { items, total: page.total };
    cursor = page.nextCursor;
  }
}

/** The facts of every app, and of one of its keywords, as the API lists them. */
export async function readLists(api: TestApi, account: Account): Promise<unknown[]> {
  const { items: apps } = await api.ok('GET /apps', { query: {} }, account);
  return Promise.all(
    apps
      .toSorted((a, b) => (a.storeAppId < b.storeAppId ? -1 : 1))
      .map(async ({ id }) => ({
        ...(await readAppLists(api, account, id)),
        ...(await readKeywordLists(api, account, id)),
      })),
  );
}

async function readAppLists(api: TestApi, account: Account, id: number) {
  const params = { id };
  const { items } = await api.ok('GET /apps/{id}/changes', { params, query: {} }, account);
  const [newest] = items;
  return {
    impact: withoutIds(
      await api.ok('GET /changes/{id}/impact', { params: { id: newest!.id } }, account),
    ),
    changes: await readPages(
      (query) => api.ok('GET /apps/{id}/changes', { params, query }, account),
      { limit: 7 },
    ),
    snapshots: await readPages(
      (query) => api.ok('GET /apps/{id}/snapshots', { params, query }, account),
      { limit: 7 },
    ),
    categoryRanks: await readPages(
      (query) => api.ok('GET /apps/{id}/category-ranks', { params, query }, account),
      { limit: 50 },
    ),
    reviews: await readPages(
      (query) => api.ok('GET /apps/{id}/reviews', { params, query }, account),
      { limit: 20 },
    ),
    lowReviews: await readPages(
      (query) =>
        api.ok('GET /apps/{id}/reviews', { params, query: { ...query, sort: 'lowest' } }, account),
      { limit: 20 },
    ),
    ratings: await readPages(
      (query) => api.ok('GET /apps/{id}/ratings', { params, query }, account),
      { limit: 7 },
    ),
  };
}

async function readKeywordLists(api: TestApi, account: Account, appId: number) {
  const { items } = await api.ok(
    'GET /apps/{id}/keywords',
    { params: { id: appId }, query: { sort: 'phrase', limit: 1 } },
    account,
  );
  const params = { keywordId: items[0]!.id };
  const dates = await api.ok('GET /keywords/{keywordId}/serp/dates', { params }, account);
  const [b, a] = dates.items.map(({ date }) => date);
  return {
    dates: dates.items,
    serp: withoutIds(await api.ok('GET /keywords/{keywordId}/serp', { params }, account)),
    diff: withoutIds(
      await api.ok(
        'GET /keywords/{keywordId}/serp/diff',
        { params, query: { a: a!, b: b!, top: 10 } },
        account,
      ),
    ),
    scores: await readPages(
      (query) => api.ok('GET /keywords/{keywordId}/scores', { params, query }, account),
      { limit: 2 },
    ),
  };
}
