import { describe, expect, it } from 'vitest';
import { findBadNames, findLong, lengthLimits } from '#scripts/rules/names-and-lengths.ts';
import { findBannedCode, findUnfinishedWork } from '#scripts/rules/banned-code.ts';
import { evaluate, print } from './inline-source.ts';
import { tree } from './tree.ts';

describe('banned code', () => {
  it.each([
    [
      'the environment read outside of config',
      'src/boot/a.ts',
      'export const port = process.env.PORT;',
    ],
    ['the whole environment passed on', 'web/src/a.ts', 'start(process.env);'],
    ['the environment by a quoted name', 'src/boot/a.ts', "const { PORT } = process['env'];"],
    ['the environment by a computed name', 'src/boot/a.ts', 'start(process[name]);'],
    ['the environment if there is one', 'src/lib/a.ts', 'start(process?.env);'],
    ['the environment destructured', 'src/boot/a.ts', 'const { env } = process;'],
    ['the environment destructured and renamed', 'src/jobs/a.ts', 'const { env: all } = process;'],
    ['the environment assigned', 'src/api/a.ts', '({ env: all } = process);'],
    ['the environment imported', 'src/stores/a.ts', "import { env } from 'node:process';"],
    ['the environment exported', 'src/stores/a.ts', "export { env } from 'process';"],
    ['the process imported', 'simulator/a.ts', "import all from 'node:process';"],
    [
      'the process imported dynamically',
      'src/mcp/a.ts',
      "const { env } = await import('node:process');",
    ],
    ['the process by another name', 'src/gateway/a.ts', 'const all = process;'],
    ['the process passed on', 'src/cli/a.ts', "Reflect.get(process, 'env');"],
    ['the process of the global object', 'src/queue/a.ts', 'start(globalThis.process.env);'],
    ['an import of a computed name', 'src/jobs/a.ts', 'const job = await import(path);'],
    ['an import of a joined name', 'web/src/a.ts', "import('./pages/' + name);"],
    ['an import of a template', 'src/api/a.ts', 'import(`#db/queries/${noun}.ts`);'],
    [
      'a loader of its own',
      'simulator/a.ts',
      "import { createRequire as make } from 'node:module';",
    ],
    [
      'a query in a verb',
      'src/domain/a.ts',
      'const rows = await query(`select id from apps where id = ${id}`);',
    ],
    ['a named statement in a job', 'src/jobs/a.ts', 'sql`/* find-app */ select 1`;'],
    [
      'a statement that writes',
      'src/boot/a.ts',
      "await client.query('  UPDATE apps SET name = $1');",
    ],
    [
      'a common table expression',
      'src/api/a.ts',
      'run(`\n  with due as (select 1) select * from due`);',
    ],
    ['a local day', 'src/domain/a.ts', 'const day = new Date().getDate();'],
    ['a local year', 'simulator/a.ts', 'date.getFullYear();'],
    ['a local hour set', 'web/src/a.tsx', 'date.setHours(0);'],
    ['the zone of the machine', 'src/lib/a.ts', 'date.getTimezoneOffset();'],
    ['a date from its parts', 'src/lib/a.ts', 'new Date(2026, 10, 21);'],
    ['Date as a function', 'src/lib/a.ts', 'log(Date());'],
    ['a date as local text', 'src/lib/a.ts', 'date.toLocaleDateString();'],
    ['a number as local text', 'src/lib/a.ts', 'count.toLocaleString();'],
    [
      'a format without a zone',
      'web/src/a.ts',
      "new Intl.DateTimeFormat('en', { dateStyle: 'medium' });",
    ],
    ['any by assertion', 'tests/api/a.ts', `const x = body as ${'any'};`],
    ['a focused test', 'tests/api/a.ts', "it.only('x', () => {});"],
    ['a todo test', 'tests/api/a.ts', "it.todo('x');"],
    ['a test that never runs', 'tests/api/a.ts', "describe.skip('x', () => {});"],
  ])('%s is reported', (_name, path, text) => {
    expect(evaluate(findBannedCode, path, text)).toHaveLength(1);
  });

  it.each([
    ['the environment in config', 'src/config/a.ts', 'read(process.env);'],
    [
      'other members of the process',
      'src/boot/a.ts',
      "process.on('SIGTERM', stop); process.exitCode = 1; ipaddr.process(text);",
    ],
    ['imports of files', 'src/boot/a.ts', "import('./a.ts'); import(`./b.ts`); import.meta.url;"],
    [
      'the path of a package of this platform',
      'src/embedded-postgres/binaries.ts',
      "import { createRequire } from 'node:module';",
    ],
    ['a query in db', 'src/db/queries/a.ts', 'sql`select 1`;'],
    [
      'words that merely begin like a query',
      'src/domain/a.ts',
      "const text = 'Select an app'; const other = 'Update failed'; const more = 'with care';",
    ],
    [
      'UTC parts',
      'src/lib/a.ts',
      'date.getUTCDate(); new Date(ms); new Date(); Date.UTC(2026, 10, 21);',
    ],
    ['a format in UTC', 'web/src/a.ts', "new Intl.DateTimeFormat('en', { timeZone: 'UTC' });"],
    ['a test with a condition', 'tests/queue/a.ts', "it.skipIf(!redis)('x', () => {});"],
  ])('%s is allowed', (_name, path, text) => {
    expect(evaluate(findBannedCode, path, text)).toEqual([]);
  });

  it.each([
    '// TODO: later',
    '/* FIXME */',
    '-- XXX',
    '// @ts-ignore',
    "throw new Error('not implemented');",
  ])('%s is reported', (text) => {
    expect(evaluate(findUnfinishedWork, 'src/db/migrations/0001_a.sql', text)).toHaveLength(1);
  });
});

describe('names and lengths', () => {
  it.each([
    'src/lib/rankMonths.ts',
    'web/src/Page.tsx',
    'src/lib/rank_months.ts',
    'src/lib/utils.ts',
    'src/domain/helpers/a.ts',
    'src/lib/types.ts',
    'src/queue/manager.ts',
  ])('%s is reported', (path) => {
    expect(evaluate(findBadNames, path, '')).toHaveLength(1);
  });

  it.each([
    'README.md',
    '.env.example',
    '.ci/run',
    'src/db/migrations/0001_accounts.sql',
    'web/src/a-page.module.css',
    'src/domain/accounts/tokens/tokens.ts',
  ])('%s is a good name', (path) => {
    expect(evaluate(findBadNames, path, '')).toEqual([]);
  });

  it.each([
    ['src/domain/a/b.ts', 301],
    ['src/db/queries/a.ts', 451],
    ['src/api/routes/a.ts', 351],
    ['src/jobs/a.ts', 201],
    ['tests/a.test.ts', 801],
  ])('%s of %i lines is reported', (path, lines) => {
    expect(print(findLong([{ path, text: '\n'.repeat(lines) }]))).toHaveLength(1);
    expect(print(findLong([{ path, text: '\n'.repeat(lines - 1) }]))).toEqual([]);
  });

  it('a long function is reported, with inner functions counted separately', () => {
    const body = (lines: number) => '  step();\n'.repeat(lines);
    expect(
      print(findLong([{ path: 'src/lib/a.ts', text: `function long() {\n${body(94)}}\n` }])),
    ).toHaveLength(1);
    expect(
      print(
        findLong([
          {
            path: 'src/lib/a.ts',
            text: `function factory() {\n${`  const a = () => {\n${body(30)}  };\n`.repeat(3)}}\n`,
          },
        ]),
      ),
    ).toEqual([]);
  });

  it('every source file has a limit', () => {
    const free = tree.filter(
      (file) =>
        /^(src|web\/src|simulator|tests|scripts|bench)\/.*\.tsx?$/.test(file.path) &&
        !lengthLimits.some((row) => row.files.test(file.path)),
    );
    expect(free.map((file) => file.path)).toEqual([]);
  });
});
