import type { Client } from '@modelcontextprotocol/client';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { insertPositions, trackKeyword } from '../api/actions.fixtures.ts';
import { readAt, trackSince } from '../api/changes.fixtures.ts';
import { completeWithGap, rescheduleCheck } from '#db/queries/rankings/checks.ts';
import { syncJobStatus } from '#db/queries/jobs/sync-job-status.ts';
import { insertCompetitor, insertSerp } from '../api/competitors.fixtures.ts';
import { marketIdOf, readWithOtherProvider, recordMarketSearch } from '../api/keywords.fixtures.ts';
import type { Account } from '../harness/api.ts';
import { jobSync } from '../harness/background-work.ts';
import {
  call,
  findNeighbour,
  seedApp,
  startMcpTestApp,
  type SeededApp,
  type McpTestApp,
} from './mcp-test-app.ts';

const noon = '2026-11-21T12:45:00Z';
let testApp: McpTestApp;
let ann: Account;
let app: SeededApp;
let client: Client;
/** Row ids of Competitor 1, Competitor 2, … */
let listingIds: number[];

beforeAll(async () => {
  testApp = await startMcpTestApp();
  ann = await testApp.api.signUp();
  app = await seedApp(testApp.api, ann);
  client = await testApp.connect((await testApp.api.token(ann)).secret);
  const { rows } = await testApp.api.db.pool.query(
    `select id from listings where name like 'Competitor %' order by id`,
  );
  listingIds = rows.map((row) => row.id as number);
});
afterAll(() => testApp.close());

describe('find_app', () => {
  const url = 'https://apps.apple.com/de/app/x/id1500000001';

  test.each([
    [
      'an address is looked up in the country that it names',
      { query: url },
      /^1 found in the ios store \(de\)/,
    ],
    [
      '… unless another is requested',
      { query: url, country: 'fr' },
      /^1 found in the ios store \(fr\)/,
    ],
    [
      'an address may lack its scheme',
      { query: url.replace('https://', '') },
      /^1 found in the ios store \(de\)/,
    ],
    [
      'an id is looked up in us by default',
      { query: '1500000001' },
      /^1 found in the ios store \(us\)/,
    ],
    [
      'a search says that there may be more',
      { query: 'habit tracker' },
      /^10 found in the ios store \(us\); at most 10 are requested/,
    ],
  ])('%s', async (_name, args, expected) => {
    const { said } = await call(client, 'find_app', { store: 'ios', ...args });
    expect(said).toMatch(expected);
  });
});

test('tools take the device of a keyword, and name it where it is not the usual one', async () => {
  const bob = await testApp.api.signUp();
  const others = await testApp.connect((await testApp.api.token(bob)).secret);
  const added = await call(others, 'add_app', { store: 'ios', storeAppId: '1500000001' });
  const { appId } = added.structuredContent as { appId: number };
  const request = { appId, phrases: ['focus timer'], countries: ['us'] };
  const cost = await call(others, 'add_keywords', {
    ...request,
    devices: ['iphone', 'mac'],
    preview: true,
  });
  expect(cost.structuredContent).toMatchObject({ added: 2, searchesPerDay: 2 });
  await call(others, 'add_keywords', { ...request, devices: ['iphone', 'ipad'] });
  const all = await call(others, 'list_keywords', { appId });
  expect(all.said).toMatch(/«focus timer» us · [^]*«focus timer» us iPad · /);
  expect(all.structuredContent).toMatchObject({
    keywords: [{ device: 'iphone' }, { device: 'ipad' }],
  });
  const onPad = await call(others, 'list_keywords', { appId, device: 'ipad' });
  const [{ keywordId }] = (onPad.structuredContent as { keywords: [{ keywordId: number }] })
    .keywords;
  expect((await call(others, 'get_app_overview', { appId, device: 'ipad' })).said).toMatch(
    /all countries on ipad: 0 of 1 keywords ranked/,
  );
  const rankings = { appId, keywordIds: [keywordId] };
  expect((await call(others, 'get_rankings', rankings)).structuredContent).toMatchObject({
    rows: [{ device: 'ipad' }],
  });
  const refused = await call(others, 'get_rankings', { ...rankings, device: 'mac' });
  expect(refused.said).toBe(
    `Keyword ${keywordId} is tracked on ipad, not on mac. Leave device out.`,
  );
  const unknown = await call(others, 'add_keywords', { ...request, devices: ['watch'] });
  expect([unknown.isError, unknown.said]).toMatchObject([
    true,
    expect.stringContaining('one of iphone, ipad, mac'),
  ]);
});

test('get_job says what is missing and why, and what is awaited until when', async () => {
  const bob = await testApp.api.signUp();
  const others = await testApp.connect((await testApp.api.token(bob)).secret);
  const made = await call(others, 'add_app', { store: 'ios', storeAppId: '1500000001' });
  const { appId } = made.structuredContent as { appId: number };
  const added = await call(others, 'add_keywords', {
    appId,
    phrases: ['job missing', 'job awaited', 'job done'],
    countries: ['us'],
  });
  const { jobId } = added.structuredContent as { jobId: number };
  const { systemDb } = testApp.api.services;
  const [missing, awaited, done] = await Promise.all(
    ['job missing', 'job awaited', 'job done'].map((phrase) => marketIdOf(testApp.api, phrase)),
  );
  const day = '2026-11-21';
  const at = `${day}T12:00:00Z`;
  testApp.api.clock.set(at);
  await recordMarketSearch(testApp.api, { marketId: done!, listingIds: [listingIds[0]!], at });
  await completeWithGap(systemDb, { marketId: missing!, day, marker: 'http-503' });
  const retryAt = new Date(`${day}T14:00:00Z`);
  await rescheduleCheck(systemDb, {
    marketId: awaited!,
    day,
    attempts: 1,
    retryAt,
    marker: 'implausible',
  });
  await syncJobStatus(systemDb, { ...jobSync, now: testApp.api.clock.now() });
  const job = await call(others, 'get_job', { jobId });
  expect(job.said).toMatch(
    new RegExp(
      `^Job ${jobId} \\(first-check\\) is succeeded: .*\n[^]*- rank-check: 1 of 3 done, ` +
        '1 missing \\([\\w-]+\\), 1 awaited until 2026-11-21T14:00:00.000Z',
    ),
  );
  expect(job.structuredContent).toMatchObject({
    parts: [{ kind: 'rank-check', total: 3, done: 1, missing: 1, awaited: 1 }],
  });
});

test('get_visibility counts the same keywords on all days, or all of them', async () => {
  const bob = await testApp.api.signUp();
  const others = await testApp.connect((await testApp.api.token(bob)).secret);
  testApp.api.clock.set('2026-11-20T08:00:00Z');
  const made = await call(others, 'add_app', { store: 'ios', storeAppId: '1500000001' });
  const { appId } = made.structuredContent as { appId: number };
  const request = { appId, countries: ['us'] };
  await call(others, 'add_keywords', { ...request, phrases: ['visible before'] });
  testApp.api.clock.set(noon);
  await call(others, 'add_keywords', { ...request, phrases: ['visible since today'] });
  const read = async (args: object) => {
    const { said, structuredContent } = await call(others, 'get_visibility', {
      appId,
      from: '2026-11-20',
      to: '2026-11-21',
      ...args,
    });
    const { days } = structuredContent as { days: { tracked: number }[] };
    return { said, tracked: days.map((day) => day.tracked) };
  };
  const same = await read({});
  expect(same).toEqual({ said: expect.stringContaining('; 1 of 2 keywords,'), tracked: [1, 1] });
  expect(await read({ keywords: 'same' })).toEqual(same);
  expect(await read({ keywords: 'all' })).toEqual({
    said: expect.stringContaining('; 2 keywords,'),
    tracked: [1, 2],
  });
});

test('tools compare nothing with days of another search provider, and name it', async () => {
  const { appId } = app;
  const days = { appId, country: 'us', from: '2026-11-14', to: '2026-11-21' };
  const read = async () => [
    await call(client, 'compare_periods', days),
    await call(client, 'get_app_overview', { appId, country: 'us' }),
    await call(client, 'get_visibility', days),
  ];
  const before = await read();
  for (const { said } of before) expect(said).not.toContain('comparable');
  expect(before[0]!.said).toContain('1 keywords compared: 0 gained, 1 lost');
  const [periods, overview, visibility] = await readWithOtherProvider(
    testApp.api,
    '2026-11-16',
    read,
  );
  const note =
    '1 keywords are not comparable, because two search providers have their positions: ' +
    'itunes from 2026-11-11; other from 2026-11-16, not comparable with before';
  expect(periods!.said).toBe(
    'From 2026-11-14 to 2026-11-21, 0 keywords compared: 0 gained, 0 lost, 0 entered, 0 left.\n' +
      note,
  );
  expect(periods!.structuredContent).toMatchObject({ moved: [], notComparable: 1 });
  expect(overview!.structuredContent).toMatchObject({
    moved: [note],
    visibility: [{ date: '2026-11-21' }],
  });
  const since = '; other from 2026-11-16, not comparable with before.';
  expect(overview!.said).toMatch(/Visibility [\d.]+ on 2026-11-21[^→\n]*;/);
  expect(overview!.said).toContain(since);
  expect(visibility!.said).toMatch(
    /^Visibility in us: [\d.]+ on 2026-11-16.* → [\d.]+ on 2026-11-21/,
  );
  expect(visibility!.said).toContain(since);
  expect(visibility!.structuredContent).toMatchObject({
    providers: ['itunes from 2026-11-14', 'other from 2026-11-16, not comparable with before'],
  });
});

test('get_change_impact compares the keywords of a change with the others', async () => {
  const bob = await testApp.api.signUp();
  const storeAppId = await findNeighbour(client);
  const body = { store: 'ios' as const, storeAppId };
  testApp.api.clock.set('2026-11-13T12:00:00Z');
  const { app: made } = await testApp.api.ok('POST /apps', { body }, bob);
  testApp.api.clock.set(noon);
  await trackSince(testApp.api, made.id, '2026-10-01T08:00:00Z');
  await readAt(testApp.api, storeAppId, '2026-11-14T12:00:00Z', { name: 'Zen' });
  await readAt(testApp.api, storeAppId, '2026-11-15T12:00:00Z', { name: 'Zen: Mood Log' });
  const { rows } = await testApp.api.db.pool.query('select listing_id from apps where id = $1', [
    made.id,
  ]);
  const target = { id: made.id, listingId: rows[0].listing_id as number };
  for (const [index, word] of ['one', 'two', 'three', 'four', 'five'].entries()) {
    const days = (before: number, after: number) => [
      before,
      before,
      before,
      before,
      before,
      after,
      after,
      after,
      after,
      after,
      after,
    ];
    const affected = await trackKeyword(testApp.api, bob, target, { phrase: `mood ${word}` });
    await insertPositions(testApp.api, affected, days(30, 20 - index));
    const other = await trackKeyword(testApp.api, bob, target, { phrase: `yoga ${word}` });
    await insertPositions(testApp.api, other, days(30, 30 + index));
  }
  const others = await testApp.connect((await testApp.api.token(bob)).secret);
  const list = await call(others, 'list_changes', { appId: made.id, field: 'name' });
  const { changes } = list.structuredContent as { changes: { changeId: number; after: string }[] };
  const { changeId } = changes.find(({ after }) => after === 'Zen: Mood Log')!;
  const impact = { params: { id: changeId }, query: { windowDays: 5 } };
  const ofApi = await testApp.api.ok('GET /changes/{id}/impact', impact, bob);
  const { said, structuredContent } = await call(others, 'get_change_impact', {
    changeId,
    windowDays: 5,
  });
  expect(ofApi).toMatchObject({ difference: 14, reason: null });
  expect(structuredContent).toMatchObject({
    difference: 14,
    interval: [ofApi.interval!.low, ofApi.interval!.high],
    groups: [
      { group: 'affected', keywords: 5, compared: 5, meanBefore: 30, meanAfter: 18, meanGain: 12 },
      { group: 'others', keywords: 5, compared: 5, meanBefore: 30, meanAfter: 32, meanGain: -2 },
    ],
  });
  expect(said).toContain(
    'The affected keywords gained 14 positions more than the others (95 % interval ' +
      `${ofApi.interval!.low} to ${ofApi.interval!.high}).\n`,
  );
  expect(said).toContain('- affected: 5 keywords, 5 compared, mean position 30 → 18, 0 entered');
});

test('list_changes shows the part of long texts that changed', async () => {
  const [before, after] = ['our old', 'the new'].map(
    (words) => `${'Build habits. '.repeat(40)}Then comes ${words} end. ${'🙂'.repeat(300)}`,
  );
  await testApp.api.db.pool.query(
    `insert into changes (listing_id, country, language, field, before, after, detected_at,
       previous_at, snapshot_id)
     select listing_id, 'us', 'en', 'description', to_jsonb($2::text), to_jsonb($3::text),
       '2026-11-20T06:00:00Z', '2026-11-19T06:00:00Z', max(s.id)
     from apps join snapshots s using (listing_id) where apps.id = $1 group by listing_id`,
    [app.appId, before, after],
  );
  const list = await call(client, 'list_changes', { appId: app.appId, field: 'description' });
  const [row] = (list.structuredContent as { changes: { before: string; after: string }[] })
    .changes;
  const lead = '…Build habits. Build habits. Then comes ';
  expect(row!.before).toMatch(new RegExp(`^${lead}our old end\\. 🙂+…$`, 'u'));
  expect(row!.after).toMatch(new RegExp(`^${lead}the new end\\. 🙂+…$`, 'u'));
  expect([[...row!.before].length, [...row!.after].length]).toEqual([200, 200]);
  expect(list.said).toContain(`«${row!.before}» → «${row!.after}»`);
});

test('whoami names the scope of the token', async () => {
  const bob = await testApp.api.signUp();
  const { secret } = await testApp.api.token(bob, { readOnly: true });
  const { said, structuredContent } = await call(await testApp.connect(secret), 'whoami');
  expect(said).toContain('; it can read only.');
  expect(structuredContent).toMatchObject({
    workspaceId: bob.workspaceId,
    readOnly: true,
    role: 'owner',
    limits: expect.arrayContaining([{ kind: 'apps', per: null, used: 0, limit: null }]),
  });
});

test('add_app says that an archived app was restored', async () => {
  const { structuredContent } = await call(client, 'add_app', {
    store: 'android',
    storeAppId: 'app.lumen.habits',
  });
  const { appId: id } = structuredContent as { appId: number };
  await testApp.api.ok('DELETE /apps/{id}', { params: { id } }, ann);
  const again = await call(client, 'add_app', { store: 'android', storeAppId: 'app.lumen.habits' });
  expect(again.said).toMatch(
    new RegExp(`^It is already tracked as app ${id}: .*If it was archived, it is restored`),
  );
  expect(again.structuredContent).toMatchObject({ appId: id, added: false });
  expect((await testApp.api.ok('GET /apps/{id}', { params: { id } }, ann)).archived).toBe(false);
});

describe('compare_competitors', () => {
  const compare = async (country?: string) => {
    const { said, structuredContent } = await call(client, 'compare_competitors', {
      appId: app.appId,
      ...(country && { country }),
    });
    const { titlesIn, competitors } = structuredContent as {
      titlesIn: string;
      competitors: { compared: number; losses: number }[];
    };
    return { said, titlesIn, ...competitors[0]! };
  };

  test('counts wins and losses with their sides, and names the other figures’ owner', async () => {
    const all = await compare();
    expect(all).toMatchObject({ titlesIn: 'us', losses: 1 });
    expect(all.said).toContain(
      'gaps are for all countries, titles for us, ratings for the app’s primary country.',
    );
    expect(await compare('us')).toMatchObject({ titlesIn: 'us', losses: 1 });
    const de = await compare('de');
    expect(de).toMatchObject({ titlesIn: 'de', compared: 0, losses: 0 });
    expect(de.said).toContain(
      'gaps are for de, titles for de, ratings for the app’s primary country.',
    );
  });
});

describe('get_app_overview', () => {
  const look = async (at: string, more: object = {}) => {
    testApp.api.clock.set(at);
    const { said, structuredContent } = await call(client, 'get_app_overview', {
      appId: app.appId,
      ...more,
    });
    testApp.api.clock.set(noon);
    return {
      said,
      visibility: (
        structuredContent as { visibility: { date: string; index: number; coverage: number }[] }
      ).visibility,
    };
  };

  test('gives the visibility of the newest checked day, with its coverage', async () => {
    const day = await look(noon);
    expect(day.visibility).toEqual([
      { date: '2026-11-14', index: 12.5, coverage: 0.3333 },
      { date: '2026-11-21', index: 2.38, coverage: 0.6667 },
    ]);
    expect(day.said).toContain(
      'Visibility 12.5 on 2026-11-14 (coverage 33 %) → 2.38 on 2026-11-21 (coverage 66 %). ' +
        'Coverage below 100 %',
    );
    const night = await look('2026-11-22T00:10:00Z', { days: 8 });
    expect(night.visibility).toEqual(day.visibility);
    const whole = await look(noon, { country: 'de', days: 3 });
    expect(whole.said).toContain('Visibility 0 on 2026-11-18 → 0 on 2026-11-21.\n');
  });

  test('does not present an old visibility as today’s, nor one value twice', async () => {
    const late = await look('2026-11-25T12:00:00Z', { days: 4 });
    expect(late.said).toContain(
      'Visibility 2.38 on 2026-11-21 (coverage 66 %) → ' +
        'unknown: nothing was checked within 3 days.',
    );
    expect((await look('2026-11-24T12:00:00Z', { days: 1 })).visibility).toHaveLength(1);
    expect((await look('2026-12-24T12:00:00Z')).said).toContain('Visibility unknown');
  });

  test('says how old positions may be, and which values ignore the country', async () => {
    const all = await look(noon);
    expect(all.said).toContain(
      'Moved since 2026-11-14, at most 5 of each kind:\n- lost: «habit tracker»',
    );
    expect(all.said).toContain(
      'on 2026-11-21 by checks at most 3 days old, all countries: 1 of 3 keywords ranked',
    );
    expect(all.said).not.toContain('open actions, of all countries');
    const de = await look(noon, { country: 'de' });
    expect(de.said).toContain('3 days old, de: 0 of 1 keywords ranked');
    expect(de.said).toMatch(/in us\.\n[^]*open actions, of all keywords; the newest/);
  });
});

describe('get_search_results', () => {
  const read = async (args: object) => {
    const { said, structuredContent } = await call(client, 'get_search_results', {
      keywordId: app.fallen.id,
      ...args,
    });
    return {
      said,
      ...(structuredContent as {
        comparedTop: number;
        left: object[];
        results: { entrant: boolean | null }[];
      }),
    };
  };

  test('claims entries only within the positions that both days know', async () => {
    const [a, b, c, d, e] = listingIds as [number, number, number, number, number];
    await insertSerp(testApp.api, app.unchecked.marketId, '2026-11-20', [a, b, c]);
    await insertSerp(testApp.api, app.unchecked.marketId, '2026-11-21', [d, a, b, c, e]);
    const { said, comparedTop, left, results } = await read({ keywordId: app.unchecked.id });
    expect([comparedTop, left]).toEqual([3, [{ name: 'Competitor 3', now: 4 }]]);
    expect(results.map((row) => row.entrant)).toEqual([true, false, false, null, null]);
    expect(said).toContain('; the first 3 compared with 2026-11-20\n1. «Competitor 4»');
    expect(said).toContain('Entries below position 3 are unknown');
    expect(said).toContain('Fell out of the first 3: «Competitor 3» (now 4)\n');
  });

  test('compares with the latest earlier day by the same provider', async () => {
    const { id: keywordId, marketId } = app.missing;
    const [a, b] = listingIds as [number, number];
    await insertSerp(testApp.api, marketId, '2026-11-19', [a], { provider: 'other' });
    await insertSerp(testApp.api, marketId, '2026-11-20', [b, a]);
    const first = await read({ keywordId, date: '2026-11-20' });
    expect(first.said).toContain('no earlier day by this provider to compare');
    expect(first.results.map((row) => row.entrant)).toEqual([null, null]);
    await insertSerp(testApp.api, marketId, '2026-11-21', [a, b], { provider: 'other' });
    const next = await read({ keywordId });
    expect(next.said).toContain('; the first 1 compared with 2026-11-19');
    await testApp.api.db.pool.query('delete from serps where market_id = $1', [marketId]);
  });

  test('claims nothing on the first stored day, and no position outside the results', async () => {
    const first = await read({ date: '2026-11-20' });
    expect(first.said).toContain('no earlier day to compare');
    expect(new Set(first.results.map((row) => row.entrant))).toEqual(new Set([null]));
    const next = await read({});
    expect([next.comparedTop, next.left]).toEqual([10, [{ name: 'Competitor 10', now: null }]]);
    expect(next.said).toContain('Fell out of the first 10: «Competitor 10»\n');
  });
});

test('suggest_keywords says how many suggestions there are in all', async () => {
  await insertCompetitor(testApp.api, ann.workspaceId, {
    appId: app.appId,
    listingId: listingIds[1]!,
    since: '2026-10-01T00:00:00Z',
  });
  const all = await call(client, 'suggest_keywords', {
    appId: app.appId,
    includeStore: false,
    limit: 50,
  });
  const { total, suggestions } = all.structuredContent as { total: number; suggestions: object[] };
  expect(total).toBeGreaterThan(1);
  expect([suggestions.length, all.said.startsWith(`${total} suggestions`)]).toEqual([total, true]);
  const some = await call(client, 'suggest_keywords', {
    appId: app.appId,
    includeStore: false,
    limit: 1,
  });
  expect(some.said).toMatch(
    new RegExp(`^1 of ${total} suggestions .*narrow with phrase, or raise limit`),
  );
  expect(some.structuredContent).toMatchObject({ total });
});

test('a draft is saved and read with its limits and its coverage of a country', async () => {
  const texts = [
    { field: 'title', text: 'x'.repeat(31) },
    { field: 'subtitle', text: 'Habit tracker' },
  ];
  const saved = await call(client, 'save_listing_texts', {
    appId: app.appId,
    locale: 'en-US',
    texts,
  });
  expect(saved.structuredContent).toMatchObject({ tooLong: ['title'] });
  const tracked = await call(client, 'list_keywords', { appId: app.appId, country: 'us' });
  const { keywords } = tracked.structuredContent as { keywords: { phrase: string }[] };
  const read = await call(client, 'get_listing_draft', {
    appId: app.appId,
    locale: 'en-US',
    country: 'us',
  });
  const data = read.structuredContent as {
    locales: string[];
    texts: { field: string; draft: string; characters: number; limit: number }[];
    covered: number;
    total: number;
    uncovered: string[];
  };
  expect(data.locales).toEqual(['en-US']);
  expect(data.texts.find(({ field }) => field === 'title')).toMatchObject({
    characters: 31,
    limit: 30,
  });
  expect(data.covered + data.uncovered.length).toBe(keywords.length);
  const isCovered = ({ phrase }: { phrase: string }) =>
    phrase.split(' ').every((word) => ['habit', 'tracker'].includes(word));
  expect(data.covered).toBe(keywords.filter(isCovered).length);
  expect(data.total).toBe(keywords.length);
  expect(read.said).toContain(`It covers ${data.covered} of ${data.total} tracked phrases in us.`);
  const plain = await call(client, 'get_listing_draft', { appId: app.appId });
  expect(plain.structuredContent).toMatchObject({ covered: null, uncovered: [], texts: [] });
});

test('a draft says what it lacks and what it empties; other locales are live', async () => {
  await call(client, 'save_listing_texts', {
    appId: app.appId,
    locale: 'en-US',
    texts: [
      { field: 'title', text: null },
      { field: 'subtitle', text: '' },
    ],
  });
  const read = (locale: string) => call(client, 'get_listing_draft', { appId: app.appId, locale });
  const drafted = await read('en-US');
  expect(drafted.said).toMatch(/- title: not drafted, at most 30 characters; live "Lumen/);
  expect(drafted.said).toContain('- subtitle: empty, which empties the text in the store; live');
  await call(client, 'save_listing_texts', {
    appId: app.appId,
    locale: 'en-US',
    texts: [{ field: 'subtitle', text: null }],
  });
  const live = await read('en-us');
  expect(live.said).toMatch(
    /It has no texts in en-US\.\nTexts are JSON strings\.\n- title: not drafted, at most 30/,
  );
  const { texts } = live.structuredContent as { texts: object[] };
  expect(texts[0]).toMatchObject({ field: 'title', draft: null, characters: 0, limit: 30 });
  expect((await read('xx-YY')).said).toContain('and no live ones are known.');
});

test('a draft is read with every character that a save would write', async () => {
  const text = `First.\n\n«Second» – می\u200cخواهم 👩\u200d💻 "${'long '.repeat(900)}"`;
  const bob = await testApp.api.signUp();
  const others = await testApp.connect((await testApp.api.token(bob)).secret);
  const added = await call(others, 'add_app', { store: 'ios', storeAppId: '1500000001' });
  const { appId } = added.structuredContent as { appId: number };
  const given = { appId, locale: 'fr-FR' };
  const texts = [{ field: 'description', text }];
  await call(others, 'save_listing_texts', { ...given, texts });
  const { said, structuredContent } = await call(others, 'get_listing_draft', given);
  const quoted = /^- description: (".*"); \d+ of 4000 characters/m.exec(said)![1]!;
  expect(JSON.parse(quoted)).toBe(text);
  expect(structuredContent).toMatchObject({ texts: [{ field: 'description', draft: text }] });
});

/** A new workspace with an app and no draft. */
async function startOtherApp(country = 'us') {
  const bob = await testApp.api.signUp();
  const others = await testApp.connect((await testApp.api.token(bob)).secret);
  const given = { store: 'ios', storeAppId: '1500000001', country };
  const added = await call(others, 'add_app', given);
  const { appId } = added.structuredContent as { appId: number };
  const listDrafts = async () =>
    (await testApp.api.ok('GET /apps/{id}/listing-drafts', { params: { id: appId } }, bob)).items;
  const save = (locale: string, field: string, text: string) =>
    call(others, 'save_listing_texts', { appId, locale, texts: [{ field, text }] });
  const read = (locale: string) => call(others, 'get_listing_draft', { appId, locale });
  return { account: bob, client: others, appId, listDrafts, save, read };
}

test('texts that cannot be saved create no draft, and the argument is named', async () => {
  const { listDrafts, save } = await startOtherApp();
  const calls: [Parameters<typeof save>, RegExp][] = [
    [['en-US', 'title', 'x'.repeat(1_001)], /texts\.0\.text: at most 1000 characters/],
    [['en-US', 'description', 'x'.repeat(8_001)], /texts\.0\.text: at most 8000 characters/],
    [['en-US', 'title', 'a\0b'], /texts\.0\.text: no NUL/],
    [['?', 'title', 'x'], /locale: a language tag, such as en-US/],
  ];
  for (const [wrong, expected] of calls) {
    const { isError, said } = await save(...wrong);
    expect([isError, said]).toEqual([true, expect.stringMatching(expected)]);
  }
  expect(await listDrafts()).toEqual([]);
});

test('calls at once save into one draft, and none is refused', async () => {
  const { listDrafts, save, read } = await startOtherApp();
  const locales = ['de-DE', 'en-US', 'es-ES', 'fr-FR', 'it', 'ja', 'ko', 'pt-BR'];
  const first = await Promise.all(locales.map((locale) => save(locale, 'title', locale)));
  expect(first.map(({ isError, said }) => isError === true && said)).toEqual(
    locales.map(() => false),
  );
  await Promise.all(['title', 'subtitle', 'keywordField'].map((field) => save('it', field, field)));
  expect(await listDrafts()).toMatchObject([{ current: true, locales }]);
  const { structuredContent } = await read('it');
  const { texts } = structuredContent as { texts: { field: string; draft: string }[] };
  expect(texts.filter(({ draft }) => draft).map(({ draft }) => draft)).toEqual([
    'title',
    'subtitle',
    'keywordField',
  ]);
});

test('a locale in another case is the one of the draft', async () => {
  const { listDrafts, save, read } = await startOtherApp();
  await save('en-US', 'title', 'Lumen');
  expect((await save('en-us', 'subtitle', 'Days')).said).toMatch(/^Saved subtitle of en-US in/);
  expect(await listDrafts()).toMatchObject([{ locales: ['en-US'] }]);
  expect((await read('EN-us')).structuredContent).toMatchObject({
    texts: expect.arrayContaining([expect.objectContaining({ draft: 'Lumen' })]),
  });
});

test('the first save spells a locale as the store does, in coverage, too', async () => {
  const { account, client: others, appId, listDrafts, save, read } = await startOtherApp();
  const keywords = { params: { id: appId }, body: { phrases: ['habit'], countries: ['us'] } };
  await testApp.api.ok('POST /apps/{id}/keywords', keywords, account);
  const saved = await save('EN-us', 'title', 'Habit');
  expect(saved.said).toMatch(/^Saved title of en-US in draft/);
  await save('xx-yy', 'title', 'Of no store');
  const drafts = await listDrafts();
  expect(drafts).toMatchObject([{ locales: ['en-US', 'xx-yy'] }]);
  const coverage = await call(others, 'get_listing_draft', { appId, country: 'us' });
  expect(coverage.structuredContent).toMatchObject({ covered: 1, total: 1 });
  const texts = [{ locale: 'fR-fr', texts: { title: 'Un' } }];
  const draft = { params: { id: drafts[0]!.id }, body: { locales: texts } };
  await testApp.api.ok('PUT /listing-drafts/{id}/texts', draft, account);
  expect((await save('fr-FR', 'subtitle', 'Deux')).said).toMatch(/^Saved subtitle of fR-fr in/);
  expect((await read('FR-fr')).said).toContain('title: "Un"');
});

test('a keyword field without a locale is the saved one or that of the first country', async () => {
  const { account, client: others, appId } = await startOtherApp('at');
  const check = (args: object = {}) => call(others, 'check_keyword_field', { appId, ...args });
  const set = (args: object) => call(others, 'set_keyword_field', { appId, ...args });
  const put = (locale: string, text: string) =>
    testApp.api.ok(
      'PUT /apps/{id}/keyword-field',
      { params: { id: appId }, body: { text, locale } },
      account,
    );
  const none = await check();
  expect(none.said).toMatch(/^No keyword field is saved for de-DE: 0 of 100 characters used/);
  expect(none.structuredContent).toMatchObject({ locale: 'de-DE' });

  await put('default', 'diary');
  expect((await check()).said).toMatch(/^The saved field \(default\): 5 of 100/);
  await put('it-it', 'diario');
  expect((await check()).said).toMatch(/^The saved field \(it-it\): 6 of 100/);
  expect((await check({ country: 'it' })).said).toMatch(/^The saved field \(it-it\): 6 of 100/);
  expect((await set({ text: 'abitudini' })).said).toBe(
    'No keyword field is saved for de-DE, the first locale of at. Name it, or one of those that ' +
      'are: it-it. Nothing was written.',
  );
  expect((await set({ text: 'diario', locale: 'it-IT' })).said).toMatch(/^Saved for it-it:/);

  await put('fr-FR', 'journal');
  const several =
    'No keyword field is saved for de-DE, the first locale of at. Name it, or one of those that ' +
    'are: fr-FR, it-it. Nothing was written.';
  for (const refused of [await check(), await set({ text: 'tagebuch' })])
    expect([refused.isError, refused.said]).toEqual([true, several]);
  expect((await check({ text: 'tagebuch' })).said).toMatch(/^This text \(not saved\): 8 of 100/);

  const saved = await set({ text: 'tagebuch', locale: 'DE-de' });
  expect(saved.said).toMatch(/^Saved for de-DE: 8 of 100/);
  expect(saved.structuredContent).toMatchObject({ locale: 'de-DE' });
  expect((await check()).said).toMatch(/^The saved field \(de-DE\): 8 of 100/);
  expect((await check({ locale: 'FR-fr' })).said).toMatch(/^The saved field \(fr-FR\): 7 of/);
  expect((await check({ locale: 'ko-kr' })).said).toMatch(/^No keyword field is saved for ko/);
});

test('a list of uncovered phrases that is cut says of how many', async () => {
  const bob = await testApp.api.signUp();
  const others = await testApp.connect((await testApp.api.token(bob)).secret);
  const added = await call(others, 'add_app', { store: 'ios', storeAppId: '1500000001' });
  const { appId } = added.structuredContent as { appId: number };
  const phrases = Array.from({ length: 120 }, (_, index) => `habit ${index}`);
  await testApp.api.ok(
    'POST /apps/{id}/keywords',
    { params: { id: appId }, body: { phrases, countries: ['nz'] } },
    bob,
  );
  const check = (text: string) =>
    call(others, 'check_keyword_field', { appId, country: 'nz', text });
  const none = await check('nothing');
  expect(none.structuredContent).toMatchObject({ covered: 0, total: 120 });
  expect(none.said).toContain('It covers 0 of 120 tracked phrases.');
  expect(none.said).toContain('Tracked, not covered (30 of 120): «habit');
  const save = (text: string) =>
    call(others, 'save_listing_texts', {
      appId,
      locale: 'en-AU',
      texts: [{ field: 'title', text }],
    });
  await save('Nothing');
  const read = await call(others, 'get_listing_draft', { appId, country: 'nz' });
  expect(read.said).toContain('Not covered (100 of 120), with the missing words:');
});
