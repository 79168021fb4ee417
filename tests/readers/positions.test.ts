import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type pg from 'pg';
import { addDays, utcDayOf } from '#lib/dates.ts';
import { TestClock } from '#lib/clock.ts';
import { startApi, type Account, type TestApi } from '../harness/api.ts';
import {
  fillWorld,
  makeReader,
  randomOf,
  type TestReader,
  type World,
} from './readers.fixtures.ts';

const seed = Number(process.env.TEST_SEED ?? 20_261_126) >>> 0;
const now = new Date();
const [from, to] = [addDays(utcDayOf(now), -90), utcDayOf(now)];

let api: TestApi;
let mine: Account;
let theirs: Account;
let world: World;
let reader: TestReader;
let client: pg.Client;

beforeAll(async () => {
  api = await startApi({ clock: new TestClock(now.toISOString()) });
  mine = await api.signUp();
  theirs = await api.signUp();
  world = await fillWorld(api.db.pool, [mine.workspaceId, theirs.workspaceId], {
    random: randomOf(seed),
    now,
  });
  reader = await makeReader(api.db, mine.workspaceId);
  client = await reader.connect();
});
afterAll(async () => {
  await client?.end();
  await reader?.revoke();
  await api?.close();
});

interface ViewRow {
  date: string;
  keyword_id: number;
  state: string;
  position: number | null;
  depth: number | null;
  reason: string | null;
  checked_at: Date | null;
  provider: string | null;
  fallback_provider: string | null;
  fallback_position: number | null;
  fallback_depth: number | null;
  fallback_checked_at: Date | null;
}

/** A row of the view in the form of the API. */
function toDailyRank(row: ViewRow) {
  const { date, keyword_id: keywordId, state, reason, position, depth, provider } = row;
  if (state === 'not_checked') {
    const fallback =
      row.fallback_provider === null
        ? null
        : {
            provider: row.fallback_provider,
            position: row.fallback_position,
            depth: row.fallback_depth,
            checkedAt: row.fallback_checked_at!.toISOString(),
          };
    expect([position, depth, provider, row.checked_at]).toEqual([null, null, null, null]);
    return { date, keywordId, state, reason, fallback };
  }
  expect(reason).toBeNull();
  const checkedAt = row.checked_at!.toISOString();
  return { date, keywordId, state, position, depth, checkedAt, provider };
}

describe(`reader.positions (seed ${seed})`, () => {
  test('has every day of a live keyword exactly as the API, and no other row', async () => {
    const { rows } = await client.query<ViewRow>(
      'select * from positions where date between $1 and $2 order by date desc',
      [from, to],
    );
    const live = await liveKeywords(mine);
    expect(new Set(rows.map((row) => row.keyword_id))).toEqual(new Set(live));
    let compared = 0;
    for (const keywordId of live) {
      const { items } = await api.ok(
        'GET /keywords/{keywordId}/rankings',
        { params: { keywordId }, query: { from, to, fill: 'gaps' } },
        mine,
      );
      const shown = rows.filter((row) => row.keyword_id === keywordId).map(toDailyRank);
      expect(shown).toEqual(items);
      compared += items.length;
    }
    // With any seed: half of the keywords may be archived.
    expect(compared).toBeGreaterThan(300);
    expect(rows.some(({ position }) => position === 0)).toBe(false);
    const without = rows.filter((row) => row.fallback_provider === null);
    expect(without.length).toBeGreaterThan(100);
    expect(without.filter((row) => row.fallback_depth !== null)).toEqual([]);
  });

  test('has the days without a check in reader.gaps', async () => {
    const { rows } = await client.query(
      `select (select count(*) from gaps) = (select count(*) from positions
         where state = 'not_checked') as same, (select count(*)::int from gaps) as gaps`,
    );
    expect(rows).toEqual([{ same: true, gaps: expect.toSatisfy((count) => count > 100) }]);
  });

  test('shows a retracted check as a gap with its reason', async () => {
    const { rows } = await client.query<ViewRow & { keyword_id: number }>(
      `select * from positions where state = 'ranked' and provider <> 'elsewhere' limit 1`,
    );
    const [{ date, keyword_id: keywordId }] = rows as [ViewRow];
    await api.db.pool.query(
      `with k as (select k.market_id, a.listing_id from keywords k join apps a on a.id = k.app_id
         where k.id = $1), gone as (
         update rank_months r
         set daily_ranks = set_byte(daily_ranks, extract(day from $2::date)::int - 1, 0)
         from k where r.market_id = k.market_id and r.month = date_trunc('month', $2::date))
       insert into market_gaps (market_id, on_date, reason, marker)
       select market_id, $2, 'store_error', 'withheld' from k
       on conflict (market_id, on_date) do update set reason = 'store_error'`,
      [keywordId, date],
    );
    await api.db.pool.query('delete from imported_daily_ranks where keyword_id = $1', [keywordId]);
    const after = await client.query(
      'select state, position, reason from positions where keyword_id = $1 and date = $2',
      [keywordId, date],
    );
    expect(after.rows).toEqual([{ state: 'not_checked', position: null, reason: 'store_error' }]);
  });

  async function liveKeywords(account: Account): Promise<number[]> {
    const { rows } = await api.db.pool.query<{ id: number }>(
      'select id from keywords where workspace_id = $1 and archived_at is null order by id',
      [account.workspaceId],
    );
    expect(rows.length).toBeLessThanOrEqual(world.keywordIds.get(account.workspaceId)!.length);
    return rows.map(({ id }) => id);
  }
});
