import { execFile } from 'node:child_process';
import { cp, mkdir, readFile, symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { root, type SourceText } from '#scripts/rules/source-tree.ts';
import { findUnlistedStores } from '#scripts/rules/store-names.ts';
import { createTestDatabase, type TestDatabase } from '../harness/database.ts';
import { keepOrder } from '../harness/keep-order.ts';
import { createDataDir, removeDataDir } from '../harness/product.ts';
import type { Outcome } from './third-store/follow-store.ts';

keepOrder('each test applies the next files of the recipe');

const run = promisify(execFile);
const fixtures = join(import.meta.dirname, 'third-store');

/** The recipe "A store" of CONTRIBUTING.md for an invented store: its folders, and three files. */
const folders = ['src/stores/meadow', 'simulator/meadow'];
const edits: Record<string, readonly [before: string, after: string][]> = {
  'src/stores/profiles.ts': [
    [
      "import { iosProfile } from './ios/profile.ts';\n",
      "import { iosProfile } from './ios/profile.ts';\n" +
        "import { meadowProfile } from './meadow/profile.ts';\n",
    ],
    ['[iosProfile, androidProfile]', '[iosProfile, androidProfile, meadowProfile]'],
  ],
  'src/stores/index.ts': [
    [
      "import { createIosStore } from './ios/client.ts';\n",
      "import { createIosStore } from './ios/client.ts';\n" +
        "import { createMeadowStore } from './meadow/client.ts';\n",
    ],
    [
      '  android: createAndroidStore,\n',
      '  android: createAndroidStore,\n  meadow: createMeadowStore,\n',
    ],
  ],
  'simulator/stores.ts': [
    [
      "import { iosStore } from './ios/store.ts';\n",
      "import { iosStore } from './ios/store.ts';\n" +
        "import { meadowStore } from './meadow/store.ts';\n",
    ],
    ['  android: androidStore,\n', '  android: androidStore,\n  meadow: meadowStore,\n'],
  ],
};

const copied = ['src', 'simulator', 'scripts', 'tests', 'package.json', 'tsconfig.json'];
/** The code that a store concerns, and the fixtures of tests. */
const compiled = ['src', 'simulator', 'tests/harness', 'tests/stores/third-store'];

let copy: string;
let database: TestDatabase;
let outcome: Outcome;

beforeAll(async () => {
  copy = await createDataDir();
  database = await createTestDatabase();
  await copyTree();
});
afterAll(async () => {
  await database.drop();
  await removeDataDir(copy);
});

describe('a third store, added by the recipe of CONTRIBUTING.md', () => {
  test('takes the files that the recipe names, and no others', async () => {
    const page = await readFile(join(root, 'CONTRIBUTING.md'), 'utf8');
    const [recipe] = /### A store\n[^]*?(?=\n###)/.exec(page) ?? [''];
    const rows = recipe
      .split('\n')
      .filter((line) => line.startsWith('| `') && !line.includes('generated'));
    const named = rows.map((row) => /`([^`]+)`/.exec(row)![1]!.replace('<store>', 'meadow'));
    expect(named.toSorted()).toEqual(
      [...folders.map((path) => `${path}/`), ...Object.keys(edits)].toSorted(),
    );
  });

  test('fails the rules while its profile is not in the list', async () => {
    for (const folder of folders)
      await cp(join(fixtures, folder), join(copy, folder), { recursive: true });
    const profile = await readCopy('src/stores/meadow/profile.ts');
    const problems = async () =>
      findUnlistedStores([profile, await readCopy('src/stores/profiles.ts')]).map(
        (found) => found.problem,
      );
    expect(await problems()).toEqual(['meadow is not in the list of src/stores/profiles.ts']);
    await applyEdits('src/stores/profiles.ts');
    expect(await problems()).toEqual([]);
  });

  test('compiles only with its client and its simulator', async () => {
    expect(await findFilesWithTypeErrors()).toEqual(['simulator/stores.ts', 'src/stores/index.ts']);
    await applyEdits('src/stores/index.ts');
    await applyEdits('simulator/stores.ts');
    expect(await findFilesWithTypeErrors()).toEqual([]);
  });

  test('is in the table of stores once the product has started with it', async () => {
    expect(await listStores()).toEqual(['ios', 'android']);
    outcome = await followStore();
    expect(await listStores()).toEqual(['ios', 'android', 'meadow']);
    const { rows } = await database.pool.query(
      'select first_page, next_page, listings_per_request, charts from stores where store = $1',
      ['meadow'],
    );
    expect(rows).toEqual([{ first_page: 40, next_page: 20, listings_per_request: 10, charts: [] }]);
  });

  test('has a documented setting for its pace, with the default of its profile', () => {
    expect(outcome.settings).toEqual({ documented: true, default: 7, given: 11 });
  });

  test('is served by the API, by address and by name', () => {
    expect(outcome.app).toMatchObject({
      store: 'meadow',
      storeAppId: expect.stringMatching(/^m-/),
    });
    expect(outcome.countries).toMatchObject([{ country: 'us' }]);
    expect(outcome.categories).toMatchObject([{ id: 'health', name: 'Health' }]);
  });

  test('is probed before everything else that the daily run requests from it', () => {
    const [first, ...others] = outcome.requests;
    expect(first).toEqual({ kind: 'search', phrase: 'journal' });
    expect(new Set(others.map(({ kind }) => kind))).toEqual(new Set(['search', 'apps', 'hints']));
    expect(outcome.run.storeHealth).toContainEqual(
      expect.objectContaining({ store: 'meadow', state: 'ok' }),
    );
    expect(outcome.run).toMatchObject({ planned: 3, done: 3, failed: 0, coverage: 1 });
  });

  test('gets true positions from the first checks and from the daily run', () => {
    const byDay = Map.groupBy(outcome.positions, ({ day }) => day);
    expect([...byDay.keys()].toSorted()).toEqual(['2026-05-10', '2026-05-11']);
    for (const rows of byDay.values()) expect(rows).toHaveLength(3);
    for (const { position, truth } of outcome.positions) expect(position).toBe(truth);
    // Found beyond the first page, and nowhere.
    const known = new Set(outcome.positions.map(({ position }) => position));
    expect(known.has(55)).toBe(true);
    expect(known.has(null)).toBe(true);
  });

  test('has a budget with its own figures, and scores', () => {
    expect(outcome.budget).toMatchObject({
      capacity: { requestsPerMinute: 600_000 },
      kinds: {
        rankChecks: { jobs: 3 },
        probes: { jobs: 1 },
        reviews: { jobs: 0 },
        charts: { jobs: 0 },
      },
    });
    expect(outcome.score).toMatchObject({
      traffic: expect.any(Number),
      difficulty: expect.any(Number),
    });
  });
});

async function copyTree(): Promise<void> {
  for (const path of copied) await cp(join(root, path), join(copy, path), { recursive: true });
  const settings = { extends: './tsconfig.json', include: compiled };
  await writeFile(join(copy, 'tsconfig.stores.json'), JSON.stringify(settings));
  await symlink(join(root, 'node_modules'), join(copy, 'node_modules'));
}

async function applyEdits(path: string): Promise<void> {
  let { text } = await readCopy(path);
  for (const [before, after] of edits[path]!) {
    if (!text.includes(before)) throw new Error(`${path} has no ${before}`);
    text = text.replace(before, after);
  }
  await writeFile(join(copy, path), text);
}

const readCopy = async (path: string): Promise<SourceText> => ({
  path,
  text: await readFile(join(copy, path), 'utf8'),
});

async function findFilesWithTypeErrors(): Promise<string[]> {
  const options = ['--singleThreaded', '--incremental', '--tsBuildInfoFile', 'types.tsbuildinfo'];
  const output = await run(
    join(root, 'node_modules/.bin/tsc'),
    ['-p', 'tsconfig.stores.json', ...options],
    {
      cwd: copy,
      env: { ...process.env, GOGC: 'off', GOMEMLIMIT: '2GiB' },
    },
  ).then(
    ({ stdout }) => stdout,
    (error: { stdout: string }) => error.stdout,
  );
  const files = [...output.matchAll(/^(\S+)\(\d+,\d+\): error/gm)].map(([, path]) => path!);
  return [...new Set(files)].toSorted();
}

async function followStore(): Promise<Outcome> {
  const script = join(copy, 'tests/stores/third-store/follow-store.ts');
  const dataDir = join(copy, 'data');
  await mkdir(dataDir);
  const { stdout } = await run(process.execPath, [script, 'meadow', database.url, dataDir], {
    cwd: copy,
    // The paths of the copy are new in each run.
    env: { ...process.env, NODE_DISABLE_COMPILE_CACHE: '1' },
  });
  return JSON.parse(stdout) as Outcome;
}

async function listStores(): Promise<string[]> {
  const { rows } = await database.pool.query<{ store: string }>(
    'select store from stores order by rank',
  );
  return rows.map(({ store }) => store);
}
