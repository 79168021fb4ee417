import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { eventSamples } from '#contract/events/event-definitions.ts';
import { insertListingRatings } from '#db/queries/listings/listing-ratings.ts';
import { purgeDeliveries } from '#db/queries/webhooks/deliveries.ts';
import { emitEvents } from '#domain/alerting/events/emit-events.ts';
import { inSystem } from '#domain/base/context.ts';
import { scoreMarkets } from '#domain/insights/scores/score-markets.ts';
import { applyRetention } from '#domain/scheduling/retention/apply-retention.ts';
import { addDays } from '#lib/dates.ts';
import { startApi, type Account, type TestApi } from '../harness/api.ts';
import { until } from '../harness/load-recorder.ts';
import { recordMarketSearch } from './keywords.fixtures.ts';
import { follow, insertSerp, tenApps } from './scores.fixtures.ts';

// A month in which the database has no partitions yet.
const started = '2031-03-10T12:00:00Z';
let api: TestApi;
let ann: Account;

beforeAll(async () => {
  api = await startApi();
  const account = await api.signUp();
  // Sessions end while the clock moves on by years.
  ann = { ...account, ...(await api.token(account)) };
});
afterAll(() => api.close());
beforeEach(async () => {
  api.clock.set(started);
  api.services.settings.keepDays = { serps: 400, events: 400, jobs: 90, scoreProvenance: 90 };
  await api.db.pool.query('truncate events cascade');
  await apply();
});

const apply = () => applyRetention(api.services, AbortSignal.timeout(60_000));
const query = async <Row extends object>(text: string, values: unknown[] = []): Promise<Row[]> =>
  (await api.db.pool.query(text, values)).rows as Row[];
const partitionsOf = async (table: string): Promise<string[]> =>
  (
    await query<{ name: string }>(
      `select c.relname as name from pg_inherits i join pg_class c on c.oid = i.inhrelid
       where i.inhparent = $1::regclass and c.relname ~ '20[3-9]\\d' order by 1`,
      [table],
    )
  ).map(({ name }) => name);
const daysOf = async (marketId: number): Promise<string[]> =>
  (
    await query<{ day: string }>(
      `select on_date::text as day from serps where market_id = $1
       union select (month + index)::text from serp_months cross join generate_series(0, 30) index
         where market_id = $1 and days & (1 << index) <> 0 order by 1`,
      [marketId],
    )
  ).map(({ day }) => day);
const homesOf = async (marketId: number): Promise<string[]> =>
  (
    await query<{ home: string }>(
      'select tableoid::regclass::text as home from serps where market_id = $1 order by on_date',
      [marketId],
    )
  ).map(({ home }) => home);
const waiting = `select from pg_stat_activity
  where datname = current_database() and wait_event_type = 'Lock'`;
const search = (marketId: number, at: string) =>
  recordMarketSearch(api, { marketId, listingIds: [1, 2, 3], at });

describe('partitions', () => {
  it('of three months exist ahead, also after the clock jumped by years', async () => {
    for (const table of ['serps', 'serp_months', 'score_provenance'])
      expect(await partitionsOf(table)).toEqual(
        expect.arrayContaining(
          ['2031_03', '2031_04', '2031_05'].map((month) => `${table}_${month}`),
        ),
      );
    api.clock.set('2035-12-31T23:59:00Z');
    await apply();
    expect(await partitionsOf('serps')).toEqual(
      expect.arrayContaining(['serps_2035_12', 'serps_2036_01', 'serps_2036_02']),
    );
  });

  it('that are missing lose no write, and are created for the next months', async () => {
    const { marketId } = await follow(api, ann, 'no partition');
    for (const at of ['2043-01-30T03:00:00Z', '2043-01-31T03:00:00Z']) await search(marketId, at);
    api.clock.set('2043-01-31T12:00:00Z');
    await apply();
    for (const at of ['2043-02-01T03:00:00Z', '2043-02-02T03:00:00Z']) await search(marketId, at);
    expect(await homesOf(marketId)).toEqual([
      'serps_rest',
      'serps_rest',
      'serps_2043_02',
      'serps_2043_02',
    ]);
  });

  it('are not created or dropped by the role of requests', async () => {
    for (const call of [
      `create_month_partitions('2031-03-10', 2)`,
      `drop_month_partitions('serps', '2031-03-10')`,
      `drop_empty_partitions('serps', '2031-03-10')`,
    ])
      await expect(
        api.db.pool.query(`begin; set local role toprung_app; select ${call}`),
      ).rejects.toThrow(/permission denied/);
  });

  it('of a busy table are left for the next round, and nobody waits for them', async () => {
    const { marketId } = await follow(api, ann, 'busy table');
    await search(marketId, '2031-03-10T03:00:00Z');
    const reader = await api.db.pool.connect();
    try {
      await reader.query('begin; select count(*) from serps');
      api.clock.set('2032-12-01T12:00:00Z');
      await expect(apply()).rejects.toThrow(/lock timeout/);
      expect(await partitionsOf('serps')).toContain('serps_2031_03');
    } finally {
      await reader.query('rollback');
      reader.release();
    }
    await apply();
    expect(await partitionsOf('serps')).not.toContain('serps_2031_03');
  });
});

describe('a clock that is ahead', () => {
  it('deletes nothing early; after days without a run, the next day continues', async () => {
    const { marketId } = await follow(api, ann, 'clock ahead');
    const runOn = (day: string) =>
      query(`insert into runs (date, opened_at, state) values ($1::date, $1::date, 'running')`, [
        day,
      ]);
    try {
      await search(marketId, '2031-03-10T03:00:00Z');
      const whole = await homesOf(marketId);
      await runOn('2031-03-10');
      api.clock.set('2032-09-01T12:00:00Z');
      await runOn('2032-09-01');
      await apply();
      expect(await homesOf(marketId)).toEqual(whole);
      api.clock.set('2032-09-02T12:00:00Z');
      await apply();
      expect(await daysOf(marketId)).toEqual([]);
    } finally {
      await query('delete from runs');
    }
  });
});

describe('results of searches', () => {
  const first = '2031-03-31';

  async function searchTwice(phrase: string): Promise<{ keywordId: number; marketId: number }> {
    const keyword = await follow(api, ann, phrase);
    for (const day of [first, '2031-04-01']) {
      api.clock.set(`${day}T03:00:00Z`);
      await search(keyword.marketId, `${day}T03:00:00Z`);
    }
    return keyword;
  }

  it('are deleted with the last day of their month, and positions stay', async () => {
    const { keywordId, marketId } = await searchTwice('deleted by months');
    const lastKept = addDays('2031-04-30', 400);
    api.clock.set(`${lastKept}T23:59:00Z`);
    await apply();
    expect(await daysOf(marketId)).toEqual(['2031-04-01']);
    api.clock.set(`${addDays(lastKept, 1)}T00:00:00Z`);
    await apply();
    expect(await daysOf(marketId)).toEqual([]);
    expect(
      await query(
        `select r.on_date from last_serps r where market_id = $1
           and on_date = '2031-04-01' and length(ids) = 12`,
        [marketId],
      ),
    ).toHaveLength(1);
    const { items } = await api.ok(
      'GET /keywords/{keywordId}/rankings',
      { params: { keywordId }, query: { from: first, to: '2031-04-01' } },
      ann,
    );
    expect(items.map(({ date }) => date).toSorted()).toEqual([first, '2031-04-01']);
  });

  it('outside of partitions are deleted by the same rule', async () => {
    const { marketId } = await follow(api, ann, 'outside of partitions');
    for (const at of ['2028-05-31T03:00:00Z', '2028-06-01T03:00:00Z']) await search(marketId, at);
    expect(await homesOf(marketId)).toEqual(['serps_rest', 'serps_rest']);
    api.clock.set(`${addDays('2028-06-30', 400)}T12:00:00Z`);
    await apply();
    expect(await daysOf(marketId)).toEqual(['2028-06-01']);
    api.clock.advance(86_400_000);
    await apply();
    expect(await daysOf(marketId)).toEqual([]);
  });

  it('stay for ever where the setting says so', async () => {
    const { marketId } = await searchTwice('kept for ever');
    api.services.settings.keepDays = { ...api.services.settings.keepDays, serps: null };
    api.clock.set('2090-01-01T00:00:00Z');
    await apply();
    expect(await daysOf(marketId)).toEqual([first, '2031-04-01']);
  });
});

describe('ratings of storefronts', () => {
  const readDays = ['2031-03-10', '2031-03-20', '2031-04-01', '2031-05-02'];

  /** Two listings: one with other ratings on each of the days, and one with those of the first. */
  async function recordRatings(name: string): Promise<number[]> {
    const rows = await query<{ id: number }>(
      `insert into listings (store, store_app_id) values ('ios', $1 || '1'), ('ios', $1 || '2')
       returning id`,
      [name],
    );
    const ids = rows.map(({ id }) => id);
    for (const [step, day] of readDays.entries())
      await insertListingRatings(api.db.systemDb, 'us', [
        { listingId: ids[0]!, day, rating: 4.5, ratingCount: 100 * (step + 1) },
        { listingId: ids[1]!, day, rating: 4.5, ratingCount: 70 },
      ]);
    return ids;
  }
  const daysRead = async (ids: number[]) =>
    (
      await query<{ days: string[] }>(
        `select array_agg(read_on::text order by read_on) as days from listing_ratings
         where listing_id = any($1) group by listing_id order by listing_id`,
        [ids],
      )
    ).map(({ days }) => days);

  it('are deleted when others replaced them before the first kept month of results', async () => {
    const ids = await recordRatings('rated');
    api.clock.set(`${addDays('2031-03-31', 400)}T23:59:00Z`);
    await apply();
    expect(await daysRead(ids)).toEqual([readDays, ['2031-03-10']]);
    api.clock.set(`${addDays('2031-04-01', 400)}T00:00:00Z`);
    await apply();
    expect(await daysRead(ids)).toEqual([['2031-04-01', '2031-05-02'], ['2031-03-10']]);
    api.clock.set('2090-01-01T00:00:00Z');
    await apply();
    expect(await daysRead(ids)).toEqual([['2031-05-02'], ['2031-03-10']]);
  });

  it('stay for ever where results do', async () => {
    const ids = await recordRatings('kept');
    api.services.settings.keepDays = { ...api.services.settings.keepDays, serps: null };
    api.clock.set('2090-01-01T00:00:00Z');
    await apply();
    expect(await daysRead(ids)).toEqual([readDays, ['2031-03-10']]);
  });
});

it('scores stay, with the provenance of each newest one and of the last 90 days', async () => {
  const { keywordId, marketId } = await follow(api, ann, 'scored often');
  const days = ['2031-03-10', '2031-03-20', '2031-04-20', '2031-04-30'];
  for (const [step, day] of days.entries()) {
    api.clock.set(`${day}T12:00:00Z`);
    await insertSerp(api, marketId, day, tenApps('scored often', { named: step, ratingCount: 9 }));
    expect(await scoreMarkets(api.services, [marketId])).toBe(1);
  }
  const provenances = async () =>
    (
      await api.ok(
        'GET /keywords/{keywordId}/scores',
        { params: { keywordId }, query: { from: '2031-03-01', to: '2031-05-01' } },
        ann,
      )
    ).items.map(({ provenance }) => provenance?.observedAt ?? null);
  expect(await provenances()).toEqual(days.toReversed());
  api.clock.set(`${addDays('2031-04-01', 90)}T00:00:00Z`);
  await apply();
  expect(await provenances()).toEqual(['2031-04-30', '2031-04-20', null, null]);
  api.clock.set('2031-12-01T00:00:00Z');
  await apply();
  expect(await provenances()).toEqual(['2031-04-30', null, null, null]);
  const { scores } = await api.ok(
    'GET /keywords/{keywordId}',
    { params: { keywordId }, query: { include: 'scores' } },
    ann,
  );
  expect(scores?.provenance.observedAt).toBe('2031-04-30');
});

describe('events', () => {
  const emit = (key: string) =>
    inSystem(api.services, (tx) =>
      emitEvents(tx, api.services, [
        {
          workspaceId: ann.workspaceId,
          type: 'rank.dropped',
          key,
          appId: null,
          occurredAt: api.clock.now(),
          data: eventSamples['rank.dropped'],
        },
      ]),
    );
  const keys = async () =>
    (await query<{ key: string }>('select key from events order by id')).map(({ key }) => key);

  it('are deleted after 400 days, and their numbers are not used again', async () => {
    const [old] = await emit('old');
    api.clock.advance(400 * 86_400_000);
    await apply();
    expect(await keys()).toEqual(['old']);
    api.clock.advance(1);
    await apply();
    expect(await keys()).toEqual([]);
    const [next] = await emit('next');
    expect(next!.sequence).toBe(old!.sequence + 1);
    const { items } = await api.ok('GET /events', { query: { since: old!.sequence } }, ann);
    expect(items.map(({ sequence }) => sequence)).toEqual([next!.sequence]);
  });

  it('stay while a delivery of them is stored', async () => {
    await emit('sent');
    const [row] = await query<{ id: string; webhook: number }>(
      `with w as (insert into webhooks (workspace_id, url, kind, events, secret, secret_strength,
         created_at) values ($1, 'https://a.example', 'standard', '{}', '', 'strong', now())
         returning id)
       insert into deliveries (workspace_id, webhook_id, event_id, message_id, type, created_at)
       select $1, w.id, e.id, 'm', 'rank.dropped', now() from w, events e
       where e.key = 'sent' returning id, webhook_id as webhook`,
      [ann.workspaceId],
    );
    api.clock.advance(500 * 86_400_000);
    await apply();
    expect(await keys()).toEqual(['sent']);
    await query(`update deliveries set state = 'succeeded', finished_at = $2 where id = $1`, [
      row!.id,
      started,
    ]);
    await apply();
    expect(await keys()).toEqual([]);
  });
});

it('a delivery is not deleted while it is sent again', async () => {
  const [row] = await query<{ id: string }>(
    `with w as (insert into webhooks (workspace_id, url, kind, events, secret, secret_strength,
       created_at) values ($1, 'https://b.example', 'standard', '{}', '', 'strong', now())
       returning id)
     insert into deliveries (workspace_id, webhook_id, message_id, type, body, state, created_at,
       finished_at)
     select $1, id, 'm', 'rank.dropped', '{}', 'failed', now(), '2030-01-01' from w returning id`,
    [ann.workspaceId],
  );
  const client = await api.db.pool.connect();
  try {
    await client.query('begin');
    await client.query(
      "update deliveries set state = 'pending', finished_at = null where id = $1",
      [row!.id],
    );
    let isOver = false;
    const deletion = inSystem(api.services, (tx) => purgeDeliveries(tx, api.clock.now())).finally(
      () => (isOver = true),
    );
    await until(
      async () => isOver || (await query(waiting)).length === 1,
      60_000,
      'the deletion to end or wait',
    );
    await client.query('commit');
    await deletion;
  } finally {
    client.release();
  }
  expect(await query('select state from deliveries where id = $1', [row!.id])).toEqual([
    { state: 'pending' },
  ]);
});

it('jobs are deleted 90 days after their end, but not open ones and those of imports', async () => {
  const insert = async (kind: string, state: string, finishedAt: string | null) => {
    const [job] = await query<{ id: string }>(
      `insert into jobs (workspace_id, kind, state, queued_at, finished_at)
       values ($1, $2, $3, $4, $5) returning id`,
      [ann.workspaceId, kind, state, '2030-01-01T00:00:00Z', finishedAt],
    );
    return job!.id;
  };
  const ended = new Date(Date.parse(started) - 90 * 86_400_000);
  const jobs = {
    over: await insert('score', 'failed', new Date(ended.getTime() - 1).toISOString()),
    justNot: await insert('score', 'succeeded', ended.toISOString()),
    open: await insert('score', 'running', null),
    awaiting: await insert('run-daily', 'succeeded', '2030-01-01T00:00:00Z'),
    import: await insert('import', 'succeeded', '2030-01-01T00:00:00Z'),
  };
  await query('update jobs set awaited_until = now() where id = $1', [jobs.awaiting]);
  await query(
    'insert into imports (workspace_id, job_id, parts, created_at) values ($1, $2, 1, now())',
    [ann.workspaceId, jobs.import],
  );
  await apply();
  const left = await query<{ id: string }>('select id from jobs where id = any($1)', [
    Object.values(jobs),
  ]);
  expect(left.map(({ id }) => id).toSorted()).toEqual(
    [jobs.justNot, jobs.open, jobs.awaiting, jobs.import].toSorted(),
  );
});

it('events of the payment provider are deleted 90 days after they came', async () => {
  const until = new Date(Date.parse(started) - 90 * 86_400_000);
  await query(
    `insert into payment_events (id, type, received_at)
     values ('evt_old', 'invoice.paid', $1), ('evt_new', 'invoice.paid', $2)`,
    [new Date(until.getTime() - 1), until],
  );
  await apply();
  expect(await query('select id from payment_events')).toEqual([{ id: 'evt_new' }]);
});

it('the periods are those of the instance, and null for what is kept for ever', async () => {
  api.services.settings.keepDays = { serps: null, events: 31, jobs: 8, scoreProvenance: 60 };
  expect(await api.ok('GET /retention', null, ann)).toEqual({
    serpDays: null,
    eventDays: 31,
    deliveryDays: 30,
    jobDays: 8,
    scoreProvenanceDays: 60,
    popularityDays: 65 * 7,
  });
});
