import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { listWeeks } from '#domain/transfer/popularity/sync/published-weeks.ts';
import { systemClock } from '#lib/clock.ts';
import { startSimulator } from '#simulator/server.ts';
import { makeTerms, registerAdsKey } from '#tests/api/popularity-sync.fixtures.ts';
import type { MeasuredSync } from '#tests/harness/run-popularity-sync.ts';
import { openBenchDatabase, type BenchDatabase } from './database.ts';
import type { Measurement } from './measurement.ts';

const syncRunner = new URL('../tests/harness/run-popularity-sync.ts', import.meta.url).href;
/** As many countries as Apple publishes, and as many terms of each genre. */
const syncedCountries = 90;
const termsOfGenre = 500;

/**
 * The sync of the newest week of all countries, in a process of its own with the flags of `npm
 * start`; the older weeks are known.
 */
export async function* measure(): AsyncGenerator<Measurement> {
  const database = await openBenchDatabase();
  const simulator = await startSimulator({ compress: false, world: { apps: 10 } });
  try {
    simulator.appleAds.requestsPerSecond = 100_000;
    const terms = makeTerms(termsOfGenre);
    simulator.appleAds.setTerms(() => terms);
    await trackCountries(database);
    const given = {
      url: database.url,
      storeBaseUrl: simulator.baseUrl,
      key: registerAdsKey(simulator),
    };
    const code = `await (await import('${syncRunner}')).measureSync(${JSON.stringify(given)})`;
    const arguments_ = ['--max-semi-space-size=2', '--input-type=module', '-e', code];
    const { stdout } = await promisify(execFile)(process.execPath, arguments_);
    const measured = JSON.parse(stdout) as MeasuredSync;
    const { rows } = await database.pool.query(
      `select count(*)::int as rows, count(distinct set_id)::int as sets from popularity`,
    );
    if (rows[0].sets !== syncedCountries)
      throw new Error(`${rows[0].sets} of ${syncedCountries} countries were synced`);
    const figure = (
      name: string,
      value: number,
      unit: string,
      goal: number | null = null,
    ): Measurement => ({ name, scale: '90 countries', measured: value, unit, goal });
    yield figure('sync of the newest week of all countries, without waits', measured.seconds, 's');
    yield figure('  processor time without the database', measured.cpuSeconds, 's');
    yield figure('  largest growth of memory', measured.growthMb, 'MB', 150);
    yield figure('  largest memory of the process', measured.peakMb, 'MB');
    yield figure('  terms read', rows[0].rows, '');
  } finally {
    await simulator.close();
    await database.close();
  }
}

/** A keyword in each country, and an outcome of its older weeks. */
async function trackCountries({ pool }: BenchDatabase): Promise<void> {
  const alphabet = [...'abcdefghijklmnopqrstuvwxyz'];
  const countries = alphabet
    .flatMap((first) => alphabet.map((second) => first + second))
    .filter((code) => code !== 'ru' && code !== 'by')
    .slice(0, syncedCountries);
  await pool.query(
    `with workspace as (
       insert into workspaces (name, created_at) values ('made', now()) returning id
     ), listing as (
       insert into listings (store, store_app_id, name) values ('ios', '1', 'made') returning id
     ), app as (
       insert into apps (workspace_id, listing_id, primary_country, created_at)
       select w.id, l.id, 'us', now() from workspace w, listing l returning id, workspace_id
     ), market as (
       insert into markets (store, country, device, phrase)
       select 'ios', code, 'iphone', 'games term 1' from unnest($1::text[]) code
       returning id, country
     )
     insert into keywords (workspace_id, app_id, market_id, country, phrase, device, depth,
       tracking_periods, created_at)
     select a.workspace_id, a.id, m.id, m.country, 'games term 1', 'iphone', 200, '[]', now()
     from app a, market m`,
    [countries],
  );
  await pool.query(
    `insert into popularity_weeks (country, week, outcome, set_id, terms, terms_before, unreadable,
       reasons, updated_at)
     select code, week, 'empty', null, 0, null, 0, '[]', now()
     from unnest($1::text[]) code, unnest($2::date[]) week`,
    [countries, listWeeks(systemClock.now()).slice(0, -1)],
  );
}
