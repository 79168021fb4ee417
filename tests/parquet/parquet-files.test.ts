import { spawn } from 'node:child_process';
import { mkdir, mkdtemp, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { zstdDecompressSync } from 'node:zlib';
import { asyncBufferFromFile, parquetMetadataAsync, parquetReadObjects } from 'hyparquet';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { writeParquetFiles } from '#domain/transfer/parquet/write-parquet-files.ts';
import { TestClock } from '#lib/clock.ts';
import { addDays, utcDayOf } from '#lib/dates.ts';
import { openPositionFolder } from '#parquet/open-position-folder.ts';
import { root } from '#scripts/rules/source-tree.ts';
import { startApi, type Account, type TestApi } from '../harness/api.ts';
import { keepOrder } from '../harness/keep-order.ts';
import { until } from '../harness/load-recorder.ts';
import { fillWorld, randomOf, type World } from '../readers/readers.fixtures.ts';

keepOrder('each test continues with the files of the one before');

const seed = Number(process.env.TEST_SEED ?? 20_261_126) >>> 0;
const unending = new AbortController().signal;
const now = new Date();
const today = utcDayOf(now);
let api: TestApi;
let mine: Account;
let theirs: Account;
let world: World;
let folder: string;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'toprung-test-parquet-'));
  api = await startApi({ clock: new TestClock(now.toISOString()) });
  mine = await api.signUp();
  theirs = await api.signUp();
  world = await fillWorld(api.db.pool, [mine.workspaceId, theirs.workspaceId], {
    random: randomOf(seed),
    now,
  });
});
afterAll(async () => {
  await api?.close();
  await rm(folder, { recursive: true, force: true });
});

const write = () => writeParquetFiles(api.services, openPositionFolder(folder, '1.2.3'), unending);
const folderOf = (account: Account) => join(folder, `workspace=${account.workspaceId}`);
const compressors = { ZSTD: (input: Uint8Array) => zstdDecompressSync(input) };

async function pathsOf(account: Account): Promise<string[]> {
  const months = await readdir(folderOf(account)).catch(() => []);
  return months.toSorted().map((month) => join(folderOf(account), month, 'positions.parquet'));
}

async function readRows(account: Account): Promise<Record<string, unknown>[]> {
  const rows: Record<string, unknown>[] = [];
  for (const path of await pathsOf(account)) {
    const file = await asyncBufferFromFile(path);
    rows.push(...(await parquetReadObjects({ file, compressors })));
  }
  return rows;
}

/** The inode changes when a file is replaced. */
const inodesOf = async (account: Account) =>
  Object.fromEntries(
    await Promise.all(
      (await pathsOf(account)).map(async (path) => [path, (await stat(path)).ino] as const),
    ),
  );

/** A row of a file in the form of the API. */
function toDailyRank(row: Record<string, unknown>) {
  const { keyword_id: keywordId, state, position, depth, reason, provider } = row;
  const date = (row.date as Date).toISOString().slice(0, 10);
  if (state === 'not_checked')
    return { date, keywordId, state, reason, fallback: row.fallback_provider ?? null };
  const checkedAt = (row.checked_at as Date).toISOString();
  return {
    date,
    keywordId,
    state,
    position: position ?? null,
    depth,
    checkedAt,
    provider: provider ?? null,
  };
}

describe(`Parquet files (seed ${seed})`, () => {
  test('have every day of every live keyword exactly as the API', async () => {
    const written = await write();
    const rows = await readRows(mine);
    expect(written).toMatchObject({ removed: 0, written: written.files });
    expect(written.rows).toBe(rows.length + (await readRows(theirs)).length);
    const { rows: live } = await api.db.pool.query<{ id: number }>(
      'select id from keywords where workspace_id = $1 and archived_at is null',
      [mine.workspaceId],
    );
    const ofKeyword = Map.groupBy(rows, (row) => row.keyword_id as number);
    expect(new Set(ofKeyword.keys())).toEqual(new Set(live.map(({ id }) => id)));
    let compared = 0;
    for (const { id } of live) {
      const { items } = await api.ok(
        'GET /keywords/{keywordId}/rankings',
        {
          params: { keywordId: id },
          query: { from: addDays(today, -120), to: today, fill: 'gaps' },
        },
        mine,
      );
      const shown = ofKeyword.get(id)!.map(toDailyRank);
      expect(shown.toSorted((a, b) => (a.date < b.date ? 1 : -1))).toEqual(
        items.map((item) =>
          'fallback' in item ? { ...item, fallback: item.fallback?.provider ?? null } : item,
        ),
      );
      compared += items.length;
    }
    expect(compared).toBe(rows.length);
    expect(rows.some(({ position }) => position === 0)).toBe(false);
  });

  test('have dates, nullable integers, instants in UTC and the version', async () => {
    const [path] = await pathsOf(mine);
    const metadata = await parquetMetadataAsync(await asyncBufferFromFile(path!));
    const typeOf = (name: string) => metadata.schema.find((element) => element.name === name);
    expect(typeOf('date')).toMatchObject({ type: 'INT32', converted_type: 'DATE' });
    expect(typeOf('position')).toMatchObject({ type: 'INT32', repetition_type: 'OPTIONAL' });
    expect(typeOf('keyword_id')).toMatchObject({ type: 'INT32', repetition_type: 'REQUIRED' });
    expect(typeOf('checked_at')?.logical_type).toMatchObject({
      type: 'TIMESTAMP',
      isAdjustedToUTC: true,
    });
    expect(metadata.created_by).toBe('toprung version 1.2.3');
    const values = Object.fromEntries(
      metadata.key_value_metadata!.map(({ key, value }) => [key, value]),
    );
    expect(values).toMatchObject({
      'toprung.version': '1.2.3',
      'toprung.workspace': String(mine.workspaceId),
    });
    expect(path).toContain(`month=${values['toprung.month']}`);
    expect((await stat(path!)).mode & 0o777).toBe(0o600);
  });

  test('stay as they are while nothing changes', async () => {
    const before = await inodesOf(mine);
    expect(await write()).toMatchObject({ written: 0, rows: 0, removed: 0 });
    expect(await inodesOf(mine)).toEqual(before);
  });

  // A period that begins on the first two days of a month is a fact of the month before, too.
  const ofToday = Number(today.slice(-2)) <= 2 ? 2 : 1;
  const changes: [string, number, string, (paths: string[]) => string[]][] = [
    [
      'a gap of a past day',
      1,
      `update market_gaps set reason = 'shed' where (market_id, on_date) in (select g.market_id,
         g.on_date from market_gaps g join keywords k on k.market_id = g.market_id
         where k.workspace_id = $1 and k.archived_at is null and g.on_date < $2::date - 35
           and g.reason <> 'shed' limit 1)`,
      (paths) => paths.slice(0, -1),
    ],
    [
      'a keyword that is paused today',
      ofToday,
      `update keywords set tracking_periods = tracking_periods || jsonb_build_array(
         jsonb_build_array($2::text, 0)) where id = (select min(id) from keywords
         where workspace_id = $1 and archived_at is null)`,
      (paths) => paths.slice(-ofToday),
    ],
  ];
  test.each(changes)(
    'are written anew after %s, and only its months',
    async (_, count, text, months) => {
      const before = await inodesOf(mine);
      expect((await api.db.pool.query(text, [mine.workspaceId, today])).rowCount).toBe(1);
      await write();
      const after = await inodesOf(mine);
      const changed = Object.keys(after).filter((path) => after[path] !== before[path]);
      expect(changed.length).toBe(count);
      expect(months(Object.keys(after))).toEqual(expect.arrayContaining(changed));
    },
  );

  test('of a deleted workspace are removed; files of others are not', async () => {
    const foreign = join(folderOf(theirs), 'notes.txt');
    await writeFile(foreign, 'mine');
    await writeFile(join(folder, 'other.parquet'), 'x');
    const count = (await pathsOf(theirs)).length - 1;
    await api.db.pool.query('update workspaces set delete_at = now() where id = $1', [
      theirs.workspaceId,
    ]);
    expect(await write()).toMatchObject({ removed: count });
    expect(await readdir(folderOf(theirs))).toEqual(['notes.txt']);
    expect(await readFile(join(folder, 'other.parquet'), 'utf8')).toBe('x');
    expect((await pathsOf(mine)).length).toBeGreaterThan(1);
    expect(world.keywordIds.size).toBe(2);
  });

  test('that are damaged are written anew', async () => {
    const [path] = await pathsOf(mine);
    await writeFile(path!, 'PAR1 and nothing else');
    expect(await write()).toMatchObject({ written: 1 });
    expect((await readRows(mine)).length).toBeGreaterThan(300);
  });

  test('survive a kill while they are replaced', async () => {
    const month = '2001-01';
    const files = openPositionFolder(folder, '1.2.3');
    const file = { workspaceId: mine.workspaceId, month, fingerprint: 'old' };
    async function* once() {
      yield Array.from({ length: 10 }, () => row);
    }
    expect(await files.write(file, once())).toBe(10);
    const target = join(folderOf(mine), `month=${month}`);
    const endless = `
      import { openPositionFolder } from '#parquet/open-position-folder.ts';
      const row = ${JSON.stringify(row)};
      const keyword = () => Math.random().toString(36).repeat(3);
      const page = () => Array.from({ length: 5_000 }, () => ({ ...row, keyword: keyword() }));
      async function* rows() { for (let count = 0; count < 1_000; count += 1) yield page(); }
      await openPositionFolder(${JSON.stringify(folder)}, '1.2.3').write(
        { workspaceId: ${mine.workspaceId}, month: '${month}', fingerprint: 'new' }, rows());`;
    const child = spawn(process.execPath, ['--input-type=module', '-e', endless], {
      cwd: root,
      stdio: 'ignore',
    });
    const isWriting = async () => {
      const draft = (await readdir(target)).find((name) => name.endsWith('.partial'));
      return draft !== undefined && (await stat(join(target, draft))).size > 1_000;
    };
    const exited = new Promise((resolve) => child.once('exit', resolve));
    try {
      await until(isWriting, 60_000, 'a file that is being written');
    } finally {
      child.kill('SIGKILL');
      await exited;
    }
    const path = join(target, 'positions.parquet');
    const kept = await parquetReadObjects({ file: await asyncBufferFromFile(path), compressors });
    expect(kept.length).toBe(10);
    expect((await readdir(target)).length).toBe(2);
    expect(await files.list()).toContainEqual(file);
    expect(await readdir(target)).toEqual(['positions.parquet']);
  });

  test('stay when the rows of a new one cannot be read', async () => {
    const files = openPositionFolder(folder, '1.2.3');
    async function* broken() {
      yield [row];
      throw new Error('the database is gone');
    }
    const file = { workspaceId: mine.workspaceId, month: '2001-01', fingerprint: 'new' };
    await expect(files.write(file, broken())).rejects.toThrow('the database is gone');
    const target = join(folderOf(mine), 'month=2001-01');
    expect(await readdir(target)).toEqual(['positions.parquet']);
    expect((await files.list()).find(({ month }) => month === '2001-01')?.fingerprint).toBe('old');
    await mkdir(join(folder, 'workspace=nobody'), { recursive: true });
    // No month of this workspace: the next run removes it.
    expect(await write()).toMatchObject({ removed: 1 });
  });
});

const row = {
  date: '2001-01-02',
  appId: 1,
  store: 'ios',
  storeAppId: '1',
  keywordId: 1,
  keyword: 'word',
  country: 'us',
  device: 'iphone',
  state: 'ranked' as const,
  position: 1,
  depth: 200,
  reason: null,
  checkedAt: '2001-01-02T03:04:05.000Z',
  provider: 'web',
  fallbackProvider: null,
  fallbackPosition: null,
  fallbackDepth: null,
};
