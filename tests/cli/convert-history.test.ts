import { spawn, spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { once } from 'node:events';
import { existsSync, readFileSync, readdirSync, writeFileSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { until } from '../harness/load-recorder.ts';
import { historyReading } from '#contract/history-imports.ts';
import type { HistoryApp } from '#domain/transfer/history/entry-reader.ts';
import { guessReading } from '#domain/transfer/history/guess-reading.ts';
import { findPreset, recognisePreset } from '#domain/transfer/history/presets.ts';
import { createRowReader } from '#domain/transfer/history/row-reader.ts';
import { runInProcess } from './run-in-process.ts';

const main = fileURLToPath(new URL('../../src/cli/main.js', import.meta.url));
let folder: string;
let files = 0;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'toprung-databases-'));
});
afterAll(() => rm(folder, { recursive: true }));

const at = (name: string) => join(folder, name);
const make = (name: string, statements: string): string => {
  const database = new DatabaseSync(at(name));
  database.exec(statements);
  database.close();
  return at(name);
};
const convert = async (path: string, ...more: string[]) => {
  files += 1;
  const out = at(`history-${files}.csv`);
  const ran = await runInProcess(['convert-history', path, '--out', out, ...more]);
  const [header, ...rows] = readFileSync(out, 'utf8').trimEnd().split('\r\n');
  return { ...ran, header: header!, rows };
};

const app: HistoryApp = {
  store: 'ios',
  storeAppId: '310633997',
  today: '2026-11-21',
  keywordIds: new Map([
    ['us iphone a', 1],
    ['us mac a', 2],
    ['us iphone b', 3],
  ]),
};
const readingOf = (columns: readonly string[]) =>
  historyReading.parse(
    guessReading({
      form: { encoding: 'utf-8', delimiter: ',' },
      columns,
      preset: recognisePreset(columns),
      sample: [],
      app,
    }),
  );

const keywordista = `
  create table keywords (id integer primary key, term text, country_code text);
  create table watched_apps (id integer primary key, app_store_id text, bundle_id text, name text,
    kind text);
  create table rank_checks (keyword_id int, watched_app_id int, rank int, difficulty int,
    entry_barrier int, checked_at text, first_seen_at text);
  insert into keywords values (1, 'habit, "tracker"', 'us');
  insert into watched_apps values (1, '310633997', 'a.b', 'Ours', 'own'),
    (2, '389801252', 'c.d', 'Theirs', 'competitor');
  insert into rank_checks values
    (1, 1, 7, 1, 1, '2026-03-09T02:00:00Z', '2026-03-01T02:00:00Z'),
    (1, 1, null, 1, 1, '2026-03-10T02:00:00Z', null),
    (1, 1, 0, 1, 1, '2026-03-11T02:00:00Z', '2026-03-11T01:00:00Z'),
    (1, 2, 3, 1, 1, '2026-03-09T02:00:00Z', null);`;
/** Seconds from 2001 to 2026-03-01 23:30 UTC. */
const evening = 794_100_600;

describe('a database of another tool as CSV', () => {
  test('Keywordista: the ends of a run, an empty rank as not found, no day between', async () => {
    const { header, rows, out, error } = await convert(make('kw.sqlite', keywordista));
    expect(rows).toEqual([
      '310633997,"habit, ""tracker""",us,2026-03-01T02:00:00Z,7',
      '310633997,"habit, ""tracker""",us,2026-03-09T02:00:00Z,7',
      '310633997,"habit, ""tracker""",us,2026-03-10T02:00:00Z,not found',
      '310633997,"habit, ""tracker""",us,2026-03-11T02:00:00Z,',
      '389801252,"habit, ""tracker""",us,2026-03-09T02:00:00Z,3',
    ]);
    expect(recognisePreset(header.split(','))?.id).toBe('converted');
    expect(error).toContain('Recognised Keywordista (rank_checks).');
    expect(out).toMatch(/^5 rows written to /);
  });

  test('only one app, when it is named', async () => {
    const { rows } = await convert(make('one.sqlite', keywordista), '--app', '389801252');
    expect(rows).toHaveLength(1);
  });

  test('SerpBear: 0 as not found, days with leading zeros, and the warning', async () => {
    const path = make(
      'serpbear.sqlite',
      `create table keyword (ID integer primary key, keyword text, device text, country text,
         domain text, position int, history text);
       insert into keyword values
         (1, 'aso tool', 'mobile', 'US', 'example.org', 4,
           '{"2026-3-7": 12, "2026-11-20": 0, "yesterday": 3, "2026-3-8": -1, "2026-3-9": "x"}'),
         (2, 'broken', 'mobile', 'DE', 'example.org', 4, '{"2026-3-7": 1'),
         (3, 'none', 'mobile', 'DE', 'example.org', 4, null);`,
    );
    const { rows, error } = await convert(path);
    expect(rows).toEqual([
      'example.org,aso tool,us,2026-03-07,12',
      'example.org,aso tool,us,2026-11-20,not found',
      'example.org,aso tool,us,2026-03-08,',
      'example.org,aso tool,us,2026-03-09,',
    ]);
    expect(error).toContain('positions in a web search');
    expect(error).not.toContain('--device');
  });

  test('SerpBear: several devices are named, and one of them can be chosen', async () => {
    const path = make(
      'devices.sqlite',
      `create table keyword (ID integer primary key, keyword text, device text, country text,
         domain text, position int, history text);
       insert into keyword values
         (1, 'aso', 'mobile', 'US', 'example.org', 4, '{"2026-3-7": 12}'),
         (2, 'aso', 'desktop', 'US', 'example.org', 4, '{"2026-3-7": 40}');`,
    );
    const both = await convert(path);
    expect(both.rows).toHaveLength(2);
    expect(both.header).not.toContain('Device');
    expect(both.error).toContain('The devices desktop, mobile have no column in the file');
    const one = await convert(path, '--device', 'desktop');
    expect(one.rows).toEqual(['example.org,aso,us,2026-03-07,40']);
    const out = at('watch.csv');
    const none = await runInProcess(['convert-history', path, '--out', out, '--device', 'watch']);
    expect(none.error).toContain('No row has the device watch. There are mobile, desktop.');
    expect(existsSync(out)).toBe(false);
    const foreign = ['--app', 'example.com', '--device', 'desktop'];
    const other = await runInProcess(['convert-history', path, '--out', out, ...foreign]);
    expect([other.code, other.error]).toEqual([
      1,
      expect.stringContaining('No row has the app example.com. There are example.org.'),
    ]);
    expect(existsSync(out)).toBe(false);
  });

  test.each([
    ['ZDATAPOINT', 'ZAPPLICATION', 'ZAPPID', 'ZRANK'],
    ['ZRANKINGDATAPOINT', 'ZAPP', 'ZAPPSTOREID', 'ZRANKING'],
  ])('Astro with %s: instants of Core Data, 1000 as not found', async (points, apps, id, rank) => {
    const path = make(
      `${points}.sqlite`,
      `create table ${apps} (Z_PK integer primary key, ${id} int, ZNAME text);
       create table ZKEYWORD (Z_PK integer primary key, ${apps} int, ZTEXT text, ZSTORE text);
       create table ${points} (Z_PK integer primary key, ZKEYWORD int, ${rank} int, ZDATE real);
       insert into ${apps} values (1, 310633997, 'Ours');
       insert into ZKEYWORD values (5, 1, 'mood journal', 'de');
       insert into ${points} values (1, 5, 9, ${evening}), (2, 5, 1000, ${evening + 86_400}),
         (3, 5, 0, ${evening + 172_800}), (4, 5, null, ${evening + 259_200}), (5, 5, 3, null);`,
    );
    const { rows } = await convert(path);
    expect(rows).toEqual([
      '310633997,mood journal,de,2026-03-01T23:30:00.000Z,9',
      '310633997,mood journal,de,2026-03-02T23:30:00.000Z,not found',
      '310633997,mood journal,de,2026-03-03T23:30:00.000Z,',
      '310633997,mood journal,de,2026-03-04T23:30:00.000Z,',
    ]);
  });

  test('Astro: each platform is written, and each is a device of the import', async () => {
    const path = make(
      'platforms.sqlite',
      `create table ZAPPLICATION (Z_PK integer primary key, ZAPPID int, ZPLATFORM text);
       create table ZKEYWORD (Z_PK integer primary key, ZAPPLICATION int, ZTEXT text, ZSTORE text);
       create table ZDATAPOINT (Z_PK integer primary key, ZKEYWORD int, ZRANK int, ZDATE real);
       insert into ZAPPLICATION values (1, 310633997, 'mac'), (2, 310633997, 'iPhone'),
         (3, 310633997, null), (4, 310633997, 7);
       insert into ZKEYWORD values (1, 1, 'a', 'us'), (2, 2, 'a', 'us'), (3, 3, 'b', 'us'),
         (4, 4, 'b', 'us');
       insert into ZDATAPOINT values (1, 1, 90, ${evening}), (2, 2, 3, ${evening}),
         (3, 3, 4, ${evening}), (4, 4, 5, ${evening});`,
    );
    const { header, rows } = await convert(path);
    expect(rows.map((row) => row.split(',').slice(4).join())).toEqual([
      '90,mac',
      '3,iPhone',
      '4,',
      '5,7',
    ]);
    const one = await convert(path, '--device', 'mac');
    expect(one.rows).toHaveLength(1);
    const columns = header.split(',');
    const reading = readingOf(columns);
    const days: unknown[] = [];
    const read = createRowReader(columns, reading, app);
    for (const [line, row] of rows.entries())
      read({ line, cells: row.split(',') }, ({ reason, device, position }) =>
        days.push(reason ?? [device, position]),
      );
    expect(days).toEqual([['mac', 90], ['iphone', 3], ['iphone', 4], 'unknown_device']);
  });

  test('a file without platforms maps no device', () => {
    const columns = ['App Id', 'Keyword', 'Country', 'Observed On', 'Position'];
    expect(readingOf(columns).columns).toEqual({
      app: 'App Id',
      phrase: 'Keyword',
      country: 'Country',
      date: 'Observed On',
      position: 'Position',
    });
    expect(findPreset('converted')?.columns).toEqual(columns);
  });

  test('what is in the log only is read, and the original stays as it is', async () => {
    const open = new DatabaseSync(at('wal.sqlite'));
    open.exec(`pragma journal_mode = wal; pragma wal_autocheckpoint = 0; ${keywordista}`);
    const hashes = () =>
      ['', '-wal'].map((end) =>
        createHash('sha256')
          .update(readFileSync(at(`wal.sqlite${end}`)))
          .digest('hex'),
      );
    const before = hashes();
    expect((await convert(at('wal.sqlite'))).rows).toHaveLength(5);
    expect(hashes()).toEqual(before);
    open.close();
  });

  test('other files are refused in one line, and no file is overwritten', () => {
    writeFileSync(at('there.csv'), 'mine');
    writeFileSync(at('text.sqlite'), 'no database, but long enough to be read as one'.repeat(99));
    const unknown = make('unknown.sqlite', 'create table notes (id int, text text)');
    const known = make('known.sqlite', keywordista);
    for (const [path, out, message] of [
      [at('missing'), 'x.csv', 'is not a file'],
      [at('text.sqlite'), 'x.csv', 'is not an SQLite database'],
      [unknown, 'x.csv', 'Its tables: notes.'],
      [known, 'there.csv', 'exists. Name another file with --out.'],
      [known, 'nowhere/x.csv', 'x.csv: ENOENT. Check the path and its access.'],
    ] as const) {
      const { status, stderr } = spawnSync(
        process.execPath,
        [main, 'convert-history', path, '--out', at(out)],
        { encoding: 'utf8' },
      );
      expect([status, stderr.trim().split('\n').length]).toEqual([1, 1]);
      expect(stderr).toContain(message);
    }
    expect(readFileSync(at('there.csv'), 'utf8')).toBe('mine');
    expect(readdirSync(folder)).not.toContain('x.csv');
  });

  test('a database that is damaged in the middle leaves no part of a file', () => {
    const path = make(
      'damaged.sqlite',
      `${keywordista}
       with recursive n (i) as (select 1 union all select i + 1 from n where i < 50000)
       insert into rank_checks select 1, 1, 7, 1, 1, '2026-03-09T02:00:00Z', null from n`,
    );
    const bytes = readFileSync(path);
    writeFileSync(path, bytes.fill(0xff, bytes.length / 2));
    const { status, stderr } = spawnSync(
      process.execPath,
      [main, 'convert-history', path, '--out', at('part.csv')],
      { encoding: 'utf8' },
    );
    expect([status, stderr]).toEqual([
      1,
      `toprung: ${path} is damaged: database disk image is malformed. Use a backup of it.\n`,
    ]);
    expect(readdirSync(folder)).not.toContain('part.csv');
    writeFileSync(at('kept.csv'), 'mine');
    const there = spawnSync(
      process.execPath,
      [main, 'convert-history', path, '--out', at('kept.csv')],
      { encoding: 'utf8' },
    );
    expect([there.status, there.stderr]).toEqual([
      1,
      `toprung: ${at('kept.csv')} exists. Name another file with --out.\n`,
    ]);
    expect(readFileSync(at('kept.csv'), 'utf8')).toBe('mine');
  });

  test('no part of a file has its name when the program is stopped or killed', async () => {
    const path = make(
      'long.sqlite',
      `${keywordista}
       with recursive n (i) as (select 1 union all select i + 1 from n where i < 2000000)
       insert into rank_checks select 1, 1, i % 200, 1, 1, '2026-03-12T02:00:00Z', null from n`,
    );
    for (const signal of ['SIGINT', 'SIGTERM', 'SIGKILL'] as const) {
      const own = await mkdtemp(join(folder, 'stopped-'));
      const out = join(own, 'stopped.csv');
      const child = spawn(process.execPath, [main, 'convert-history', path, '--out', out], {
        env: { ...process.env, TMPDIR: own },
        stdio: ['ignore', 'ignore', 'pipe'],
      });
      let said = '';
      child.stderr.on('data', (text: Buffer) => (said += text.toString()));
      const isWriting = () => readdirSync(own).some((name) => name.endsWith('.partial'));
      await until(isWriting, 60_000, 'the file that is being written');
      child.kill(signal);
      const [code] = (await once(child, 'close')) as [number | null];
      expect(readdirSync(own)).not.toContain('stopped.csv');
      if (signal === 'SIGKILL') continue;
      expect([code, said]).toEqual([1, 'toprung: Stopped. No file was written.\n']);
      expect(readdirSync(own)).toEqual([]);
    }
  });

  test('a number that JavaScript cannot hold is refused in one line', async () => {
    const path = make(
      'large.sqlite',
      `${keywordista} update rank_checks set rank = 9007199254740993`,
    );
    const out = at('large.csv');
    expect(await runInProcess(['convert-history', path, '--out', out])).toEqual({
      code: 1,
      out: '',
      error: expect.stringMatching(/^toprung: .*: 9007199254740993\. Correct it in a copy\.\n$/),
    });
    expect(readdirSync(folder)).not.toContain('large.csv');
  });
});
