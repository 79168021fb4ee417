import { existsSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { root } from '#scripts/rules/source-tree.ts';
import {
  findBoundaryViolations,
  moduleOf,
  modules,
  packageBoundaries,
} from '#scripts/rules/module-boundaries.ts';
import { evaluate } from './inline-source.ts';
import { tree } from './tree.ts';

const names = Object.keys(modules);
const folderOf = (module: string) =>
  module === 'simulator' ? 'simulator' : module === 'web' ? 'web/src' : `src/${module}`;
const importOf = (other: string) =>
  `import { a } from '${other === 'store-profiles' ? '#stores/profiles.ts' : `#${other}/a.ts`}';`;
/** The profiles of stores are a module within the folders of the stores. */
const fileOf = (module: string) =>
  module === 'store-profiles' ? 'src/stores/planted/profile.ts' : `${folderOf(module)}/planted.ts`;
const problemsOf = (module: string, text: string) =>
  evaluate(findBoundaryViolations, fileOf(module), text);

const pairs = names.flatMap((module) =>
  names.filter((other) => other !== module).map((other) => [module, other] as const),
);
const isAllowed = (module: string, other: string) =>
  modules[module]!.includes(other) ||
  (other.startsWith('domain/') && modules[module]!.includes('domain'));
const forbidden = pairs.filter(([module, other]) => !isAllowed(module, other));

describe('module boundaries', () => {
  it('every folder of src, and of src/domain, is a module', () => {
    const found = tree.flatMap((file) => moduleOf(file.path) ?? []);
    expect([...new Set(found)].toSorted()).toEqual(names.toSorted());
  });

  it('the seven modules of the domain import one another as planned, and never upward', () => {
    const imports = names
      .filter((name) => name.startsWith('domain/'))
      .map((name) => [name, modules[name]!.filter((other) => other.startsWith('domain'))]);
    expect(Object.fromEntries(imports)).toEqual({
      'domain/base': [],
      'domain/tracking': ['domain/base'],
      'domain/scheduling': ['domain/base', 'domain/tracking'],
      'domain/alerting': ['domain/base', 'domain/tracking'],
      'domain/accounts': ['domain/base', 'domain/tracking'],
      'domain/insights': ['domain/base', 'domain/tracking', 'domain/alerting'],
      'domain/transfer': names.filter(
        (name) => name.startsWith('domain/') && name !== 'domain/transfer',
      ),
    });
  });

  it.each(forbidden)('%s importing %s is reported', (module, other) => {
    expect(problemsOf(module, importOf(other))).toHaveLength(1);
  });

  it.each(pairs.filter(([module, other]) => isAllowed(module, other)))(
    '%s may import %s',
    (module, other) => {
      expect(problemsOf(module, importOf(other))).toEqual([]);
    },
  );

  it('an allowed single file does not allow other files of its module', () => {
    expect(problemsOf('stores', "import type { Store } from '#domain/base/ports.ts';")).toEqual([]);
    expect(problemsOf('queue', "import type { A } from '#domain/base/ports/a.ts';")).toEqual([]);
    expect(problemsOf('stores', "import { a } from '#db/queries/pacing/pacing.ts';")).toEqual([]);
    for (const [module, text] of [
      ['stores', "import { a } from '#db/queries/apps/apps.ts';"],
      ['stores', "import { a } from '#domain/base/ports-of-others.ts';"],
      ['queue', "import type { Ctx } from '#domain/base/context.ts';"],
      ['counters', "import { a } from '#domain/accounts/billing/a.ts';"],
    ] as const)
      expect(problemsOf(module, text), text).toHaveLength(1);
  });

  it('every path of the table exists', () => {
    const paths = Object.values(modules).flat();
    const missing = paths
      .filter((path) => path !== 'simulator' && path !== 'store-profiles')
      .filter((path) => !existsSync(`${root}src/${path}`) && !existsSync(`${root}src/${path}.ts`));
    expect(missing).toEqual([]);
  });

  it.each([
    ['a relative path', "import { a } from '../domain/base/a.ts';"],
    ['a type', "import type { A } from '#domain/base/a.ts';"],
    ['a re-export', "export { a } from '#domain/base/a.ts';"],
    ['a dynamic import', "export const a = () => import('#domain/base/a.ts');"],
    ['a dynamic import in backticks', 'export const a = () => import(`#domain/base/a.ts`);'],
    ['a type inside a type', "export type A = import('#domain/base/a.ts').A;"],
    ['an import for its effect', "import '#domain/base/a.ts';"],
  ])('%s counts like any other import', (_name, text) => {
    expect(problemsOf('lib', text)).toHaveLength(1);
  });

  it.each(['tests/harness/a.ts', 'scripts/a.ts', 'bench/a.ts'])(
    'the product does not import %s',
    (path) => {
      expect(problemsOf('boot', `import { a } from '../../${path}';`)).toHaveLength(1);
      expect(problemsOf('boot', `import { a } from '#${path}';`)).toHaveLength(1);
    },
  );

  it.each(['src/planted.ts', 'src/cellar/planted.ts', 'src/domain/planted.ts'])(
    'a file of no known module is reported: %s',
    (path) => {
      expect(evaluate(findBoundaryViolations, path, '')).toHaveLength(1);
    },
  );

  it('a new folder of src/domain is reported until the table has it', () => {
    expect(evaluate(findBoundaryViolations, 'src/domain/cellar/planted.ts', '')).toHaveLength(1);
  });
});

describe('packages', () => {
  const samples: Record<string, string[]> = {
    Fastify: ['fastify', '@fastify/cookie', 'fastify-type-provider-zod'],
    BullMQ: ['bullmq', '@bull-board/api/bullMQAdapter'],
    Redis: ['ioredis'],
    Kysely: ['kysely'],
    pg: ['pg'],
    Stripe: ['stripe'],
    'The AWS SDK': ['@aws-sdk/client-s3', '@smithy/types'],
    'The MCP SDK': ['@modelcontextprotocol/server', '@modelcontextprotocol/server/stdio'],
    undici: ['undici'],
    Parquet: ['hyparquet', 'hyparquet-writer'],
    XLSX: ['sax'],
    Zip: ['yauzl', 'yazl'],
    OpenTelemetry: ['@opentelemetry/api', '@opentelemetry/sdk-trace'],
    commander: ['commander', '@clack/prompts'],
  };

  it('every boundary of a package has its sample', () => {
    expect(Object.keys(samples)).toEqual(packageBoundaries.map((boundary) => boundary.name));
  });

  it.each(
    packageBoundaries.flatMap((boundary) =>
      samples[boundary.name]!.map((name) => [name, boundary] as const),
    ),
  )('%s stays in its modules', (name, boundary) => {
    for (const module of names)
      expect(problemsOf(module, `import a from '${name}';`).length, module).toBe(
        boundary.modules.includes(module) ? 0 : 1,
      );
  });

  it('BullMQ is behind the queue, and jobs do not use its types', () => {
    expect(problemsOf('jobs', "import { Worker } from 'bullmq';")).toHaveLength(1);
    expect(problemsOf('jobs', "import type { Job } from 'bullmq';")).toHaveLength(1);
    expect(problemsOf('queue', "import { Worker } from 'bullmq';")).toEqual([]);
  });

  it('boot uses pools and servers as types only', () => {
    expect(
      problemsOf(
        'boot',
        "import type pg from 'pg';\nimport { type FastifyInstance } from 'fastify';",
      ),
    ).toEqual([]);
    expect(problemsOf('boot', "import pg from 'pg';")).toHaveLength(1);
    expect(problemsOf('domain/base', "import type pg from 'pg';")).toHaveLength(1);
  });

  it.each(['contract', 'client', 'web'])('%s runs in a browser: no module of Node', (module) => {
    expect(problemsOf(module, "import { readFileSync } from 'node:fs';")).toHaveLength(1);
  });
});
