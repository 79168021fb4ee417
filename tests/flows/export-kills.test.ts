import { createHash } from 'node:crypto';
import { afterAll, expect, test } from 'vitest';
import { startSimulator } from '#simulator/server.ts';
import { createTestDatabase } from '../harness/database.ts';
import { until } from '../harness/load-recorder.ts';
import { startToprung } from '../harness/process.ts';
import { createDataDir, productEnvironment, removeDataDir, signUpAt } from '../harness/product.ts';
import { startRole } from '../harness/start-role.ts';

const scale = process.env.TORTURE ? { kills: 12, apps: 100 } : { kills: 1, apps: 4 };
/** As many as the store shows. */
const reviewsEach = 500;
const simulator = await startSimulator({ compress: false, world: { apps: 10 } });
const db = await createTestDatabase();
const dataDir = await createDataDir();
const environment = {
  ...productEnvironment(dataDir, simulator),
  DATABASE_URL: db.url,
  QUEUE_STALL_SECONDS: '1',
};
const api = await startRole('api', environment);
const { client, token } = await signUpAt(api.url);
let worker: ReturnType<typeof startToprung> | null = null;
afterAll(async () => {
  await worker?.kill('SIGKILL');
  await api.stop();
  await simulator.close();
  await db.drop();
  await removeDataDir(dataDir);
});

/** Apps with reviews that nobody can compress, so that each takes a chunk or two. */
async function fillWorkspace(): Promise<void> {
  await db.pool.query(
    `with listing as (
       insert into listings (store, store_app_id, name)
         select 'ios', (1700000000 + n)::text, 'App ' || n from generate_series(1, $1::int) n
       returning id
     ), app as (
       insert into apps (workspace_id, listing_id, primary_country, created_at)
         select (select min(id) from workspaces), id, 'us', now() - interval '1 hour' from listing
       returning listing_id
     )
     insert into reviews (listing_id, country, store_review_id, author, rating, title, body,
       language, reviewed_at, first_seen_at)
     select listing_id, 'us', 'review-' || n, 'Ana', 5, null,
       (select string_agg(md5(random()::text || n || k), ' ') from generate_series(1, 72) k), 'en',
       now(), now()
     from app, generate_series(1, $2::int) n`,
    [scale.apps, reviewsEach],
  );
}

const readProgress = async () =>
  Number(
    (await db.pool.query(`select coalesce((written->>'chunks')::int, 0) as chunks from exports`))
      .rows[0].chunks,
  );

/** The worker of one attempt dies as soon as it has written. */
async function killWhenItHasWritten(): Promise<void> {
  const before = await readProgress();
  worker = startToprung(['start', '--role', 'worker'], environment);
  await until(async () => (await readProgress()) > before, 60_000, 'a chunk');
  await worker.kill('SIGKILL');
}

async function readFile(path: string) {
  const response = await fetch(`${api.url}${path}`, {
    headers: { authorization: `Bearer ${token}` },
  });
  const text = await response.text();
  const lines = text.trimEnd().split('\n');
  const { end } = JSON.parse(lines.pop()!);
  const sha256 = createHash('sha256')
    .update(`${lines.join('\n')}\n`)
    .digest('hex');
  expect(end).toEqual({ lines: lines.length, sha256 });
  return lines.map((line) => JSON.parse(line));
}

const countWritten = async () => {
  await db.pool.query('select pg_stat_force_next_flush()');
  const { rows } = await db.pool.query(
    `select (select n_tup_ins from pg_stat_user_tables where relname = 'export_chunks') as inserted,
       (select count(*) from export_chunks) as kept`,
  );
  return { inserted: Number(rows[0].inserted), kept: Number(rows[0].kept) };
};

test(`an export that is killed ${scale.kills} times is continued, not begun again`, async () => {
  await fillWorkspace();
  const began = performance.now();
  const { job, poll } = await client('POST /workspace/exports', { body: { format: 'ndjson' } });
  for (let kills = 0; kills < scale.kills; kills++) await killWhenItHasWritten();
  worker = startToprung(['start', '--role', 'worker'], environment);
  const read = () => client('GET /jobs/{jobId}', { params: { jobId: Number(job.id) } });
  await until(async () => (await read()).state === 'succeeded', 120_000, 'the export');
  const seconds = (performance.now() - began) / 1_000;
  await worker.kill('SIGTERM');
  const { inserted, kept } = await countWritten();
  console.log(
    `export kills: ${scale.kills} kills, ${seconds.toFixed(1)} s, ` +
      `${inserted} chunks written for a file of ${kept}`,
  );
  // Each kill costs the chunks of one app at most.
  expect(inserted).toBeLessThanOrEqual(kept + 2 * scale.kills);
  const rows = await readFile(`${poll}/file`);
  const reviews = rows.filter(({ table }) => table === 'reviews');
  expect(new Set(reviews.map(({ row }) => row.id)).size).toBe(reviews.length);
  expect(reviews.length).toBe(scale.apps * reviewsEach);
}, 600_000);
