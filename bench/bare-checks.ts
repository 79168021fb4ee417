/**
 * The plainest program that could check the same markets of the same store: 32 lanes of fetch and
 * JSON.parse, and one statement for 50 results. It has no pace, queue, retries, names, comparison
 * with the day before or alerts. Prints a line when it is warm, and then the number of checks and
 * the milliseconds of its own processor time.
 */
import pg from 'pg';
import { request } from 'undici';
import { readIslands } from '#stores/android/islands.ts';
import { field } from '#stores/android/fields.ts';
import { batchUrl, rpcBody, searchUrl } from '#stores/android/urls.ts';
import { webSearchUrl } from '#stores/ios/urls.ts';
import { hostRoot } from '#stores/urls.ts';

interface Market {
  id: number;
  store: string;
  phrase: string;
  country: string;
}

interface Result {
  marketId: number;
  ids: string[];
}

interface IosPage {
  data: {
    shelves?: { items?: { lockup?: { adamId: string } }[] }[];
    nextPage?: { results: { id: string }[] };
  };
}

const [databaseUrl, storeUrl = '', runMs = '0'] = process.argv.slice(2);
const pool = new pg.Pool({ connectionString: databaseUrl });
const root = hostRoot(storeUrl);
const [depth, lanes, batchSize, warmMs] = [200, 32, 50, 3_000];

async function read(url: string, post: string | null = null, cookie = ''): Promise<string> {
  const contentType = { 'content-type': 'application/x-www-form-urlencoded;charset=UTF-8', cookie };
  const { body, headers } = await request(url, {
    method: post === null ? 'GET' : 'POST',
    body: post,
    ...(post !== null && { headers: contentType }),
  });
  cookies.set(url, String(headers['set-cookie'] ?? '').split(';')[0]!);
  return body.text();
}
const cookies = new Map<string, string>();

async function searchIos({ phrase, country }: Market): Promise<string[]> {
  const html = await read(webSearchUrl(root, { phrase, country, device: 'iphone' }));
  const from = html.indexOf('id="serialized-server-data">') + 'id="serialized-server-data">'.length;
  const text = html.slice(from, html.indexOf('</script>', from)).replaceAll('&quot;', '"');
  const parsed = JSON.parse(text.replaceAll('&amp;', '&')) as IosPage[] | { data: IosPage[] };
  const entries = Array.isArray(parsed) ? parsed : parsed.data;
  const { data } = entries.find((entry) => entry.data.shelves !== undefined)!;
  const shown = data.shelves!.flatMap(({ items = [] }) => items.map(({ lockup }) => lockup));
  const further = (data.nextPage?.results ?? []).map(({ id }) => id);
  const ids = shown.flatMap((lockup) => (lockup === undefined ? [] : [lockup.adamId]));
  return [...new Set([...ids, ...further])].slice(0, depth);
}

async function searchAndroid({ phrase, country }: Market): Promise<string[]> {
  const url = searchUrl(root, { phrase, country });
  const [data] = readIslands(await read(url)).find('lGYRle');
  const list = (field(data, [0, 1]) as unknown[]).map((part) => field(part, [22])).find(Boolean);
  const ids = ((field(list, [0]) ?? []) as unknown[]).map(
    (item) => field(item, [0, 0, 0]) as string,
  );
  const cookie = cookies.get(url)!;
  cookies.delete(url);
  let token = field(list, [1, 3, 1]);
  while (typeof token === 'string' && ids.length < depth) {
    const argument = [[null, [[10, [10, 100]], true, null, []], null, token]];
    const next = batchUrl(root, { rpcId: 'qnKhOb', country, frontEnd: 'store' });
    const body = await read(next, rpcBody('qnKhOb', argument), cookie);
    const frames = JSON.parse(body.slice(body.indexOf('['))) as string[][];
    const [apps, ...end] = field(JSON.parse(frames[0]![2]!), [0, 0]) as unknown[];
    ids.push(...(apps as unknown[]).map((item) => field(item, [12, 0]) as string));
    token = field(end, [6, 1]);
  }
  return ids.slice(0, depth);
}

const searches: Record<string, (market: Market) => Promise<string[]>> = {
  ios: searchIos,
  android: searchAndroid,
};

/** The results, a position for each of the twenty tracked apps, and the schedule. */
async function write(results: readonly Result[]): Promise<void> {
  const rows = results.map(({ marketId, ids }) => ({ market_id: marketId, ids: ids.join(' ') }));
  await pool.query({
    name: 'write',
    text: `with given as (
        select * from json_to_recordset($1::json) as g(market_id int, ids text)
      ), kept as (
        insert into bare.serps select market_id, current_date, ids from given
      ), ranked as (
        insert into bare.ranks select k.market_id, current_date, l.id,
          array_position(string_to_array(g.ids, ' '), l.store_app_id)
        from given g join keywords k using (market_id) join apps a on a.id = k.app_id
          join listings l on l.id = a.listing_id
      )
      update bare.schedule s set checked_on = current_date from given g
        where s.market_id = g.market_id`,
    values: [JSON.stringify(rows)],
  });
}

await pool.query(`create schema bare;
  create table bare.serps (market_id int, on_date date, ids text, primary key (market_id, on_date));
  create table bare.ranks (market_id int, on_date date, listing_id int, position int,
    primary key (listing_id, market_id, on_date));
  create table bare.schedule as select market_id, null::date as checked_on from market_schedule;
  alter table bare.schedule add primary key (market_id)`);
const { rows: markets } = await pool.query<Market>(
  'select id, store, phrase, country from markets order by id',
);
const results: Result[] = [];
let checks = 0;
const runLanes = async (untilMs: number) => {
  const runLane = async () => {
    while (performance.now() < untilMs && markets.length > 0) {
      const market = markets.shift()!;
      const ids = await searches[market.store]!(market);
      results.push({ marketId: market.id, ids });
      checks += 1;
      if (results.length >= batchSize) await write(results.splice(0));
    }
  };
  await Promise.all(Array.from({ length: lanes }, runLane));
};
await runLanes(performance.now() + warmMs);
console.log('warm');
checks = 0;
const begun = process.cpuUsage();
await runLanes(performance.now() + Number(runMs));
const { user, system } = process.cpuUsage(begun);
console.log(JSON.stringify({ checks, ownMs: (user + system) / 1_000 }));
await pool.end();
