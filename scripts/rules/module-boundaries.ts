/** The modules and their boundaries. A rule compares this table with ARCHITECTURE.md. */
import { listImports, type Import } from './imports.ts';
import { isScript, type Finding, type SourceText } from './source-tree.ts';

const domain = (...modules: string[]): string[] => [
  ...modules.map((name) => `domain/${name}`),
  'store-profiles',
  'contract',
  'lib',
  'db',
];

/** By module: the modules, or the single files, it may import. Its own files are always allowed. */
export const modules: Record<string, readonly string[]> = {
  lib: [],
  'store-profiles': [],
  contract: ['store-profiles'],
  config: ['store-profiles', 'lib'],
  db: ['store-profiles', 'contract', 'lib'],
  'domain/base': domain(),
  'domain/tracking': domain('base'),
  'domain/scheduling': domain('base', 'tracking'),
  'domain/alerting': domain('base', 'tracking'),
  'domain/accounts': domain('base', 'tracking'),
  'domain/insights': [...domain('base', 'tracking', 'alerting'), 'listing-files'],
  'domain/transfer': domain('base', 'tracking', 'scheduling', 'alerting', 'accounts', 'insights'),
  stores: ['store-profiles', 'domain/base/ports', 'contract', 'lib', 'db/queries/pacing'],
  outbound: ['domain/base/ports', 'lib'],
  queue: ['domain/base/ports', 'lib'],
  counters: ['domain/base/ports', 'lib', 'db/queries/limits'],
  payments: ['domain/base/ports', 'lib'],
  parquet: ['domain/base/ports', 'lib'],
  spreadsheets: ['domain/base/ports', 'lib'],
  'apple-ads': ['domain/base/ports', 'lib'],
  jobs: ['queue', 'domain', 'contract', 'lib'],
  api: ['domain', 'contract', 'lib'],
  client: ['contract', 'lib'],
  mcp: ['store-profiles', 'client', 'contract', 'listing-files', 'lib'],
  gateway: ['lib'],
  'embedded-postgres': ['lib'],
  backups: ['db', 'lib'],
  telemetry: ['lib'],
  boot: [
    'store-profiles',
    'contract',
    'lib',
    'embedded-postgres',
    'backups',
    'telemetry',
    'config',
    'db',
    'domain',
    'stores',
    'outbound',
    'queue',
    'counters',
    'payments',
    'parquet',
    'spreadsheets',
    'apple-ads',
    'jobs',
    'api',
    'client',
    'gateway',
  ],
  'listing-files': ['store-profiles', 'contract', 'lib'],
  'listing-lint': ['store-profiles', 'listing-files', 'lib'],
  cli: [
    'store-profiles',
    'contract',
    'listing-files',
    'listing-lint',
    'boot',
    'embedded-postgres',
    'backups',
    'client',
    'mcp',
    'config',
    'lib',
    'simulator',
  ],
  simulator: ['store-profiles', 'contract', 'lib'],
  web: ['store-profiles', 'listing-files', 'listing-lint', 'client', 'contract', 'lib'],
};

/** Packages that belong to some modules only. `typesFor` may name their types. */
export const packageBoundaries: readonly {
  packages: RegExp;
  modules: readonly string[];
  typesFor?: readonly string[];
  name: string;
}[] = [
  {
    name: 'Fastify',
    packages: /^(fastify$|@fastify\/|fastify-)/,
    modules: ['api', 'gateway'],
    typesFor: ['boot'],
  },
  { name: 'BullMQ', packages: /^(bullmq|@bull-board\/.*)$/, modules: ['queue'] },
  { name: 'Redis', packages: /^ioredis$/, modules: ['queue', 'counters'] },
  { name: 'Kysely', packages: /^kysely/, modules: ['db'] },
  { name: 'pg', packages: /^pg($|\/)/, modules: ['db', 'queue'], typesFor: ['boot'] },
  { name: 'Stripe', packages: /^stripe$/, modules: ['payments'] },
  { name: 'The AWS SDK', packages: /^@(aws-sdk|smithy)\//, modules: ['backups'] },
  { name: 'The MCP SDK', packages: /^@modelcontextprotocol\//, modules: ['mcp'] },
  { name: 'undici', packages: /^undici$/, modules: ['stores', 'outbound', 'gateway', 'apple-ads'] },
  { name: 'Parquet', packages: /^hyparquet/, modules: ['parquet'] },
  { name: 'XLSX', packages: /^sax$/, modules: ['spreadsheets'] },
  { name: 'Zip', packages: /^(yauzl|yazl)$/, modules: ['spreadsheets', 'listing-files'] },
  { name: 'OpenTelemetry', packages: /^@opentelemetry\//, modules: ['telemetry'] },
  { name: 'commander', packages: /^(commander|@clack\/.*)$/, modules: ['cli'] },
];

/** These run in a browser too. */
const browserModules = ['store-profiles', 'contract', 'client', 'web'];

/** A store's profile is a module of its own in the store's folder: data that all may read. */
export const storeProfiles = /^src\/stores\/(profiles?|[a-z0-9]+\/profile)\.ts$/;

/**
 * The module of a file, such as `lib` or `domain/base`; null for tests, scripts and bench, which
 * may import all of them.
 */
export function moduleOf(path: string): string | null {
  if (path.startsWith('simulator/')) return 'simulator';
  if (path.startsWith('web/src/')) return 'web';
  if (storeProfiles.test(path)) return 'store-profiles';
  return /^src\/(domain\/[^/]+|[^/]+)\//.exec(path)?.[1] ?? null;
}

/** True when the table names the module itself, or `domain` for one of the domain's modules. */
export const mayImport = (module: string, other: string): boolean =>
  modules[module]!.some((allowed) => other === allowed || other.startsWith(`${allowed}/`));

/** The registry of background work replaces them. */
export const replacedFiles: readonly string[] = [
  'src/domain/base/jobs/background-job.ts',
  'src/domain/scheduling/runs/periodic-tasks.ts',
  'src/domain/scheduling/store-tasks/store-task-table.ts',
];

export function findBoundaryViolations(files: readonly SourceText[]): Finding[] {
  return files.filter(isScript).flatMap((file) => {
    if (replacedFiles.includes(file.path)) return [];
    const module = moduleOf(file.path);
    if (module !== null && module in modules)
      return listImports(file).flatMap((item) =>
        checkImport(module, item).map((problem) => ({ path: file.path, line: item.line, problem })),
      );
    if (module === null && !file.path.startsWith('src/')) return [];
    const problem =
      module === null || module === 'domain'
        ? 'belongs to no module: move it into a folder'
        : `${module} is not a module: add it to scripts/rules/module-boundaries.ts and ` +
          'ARCHITECTURE.md';
    return [{ path: file.path, line: 1, problem }];
  });
}

function checkImport(module: string, item: Import): string[] {
  if (!item.isOurs) return checkPackage(module, item);
  const target = moduleOf(item.target);
  if (target === module) return [];
  if (target === null)
    return module === 'simulator' || !isOutside(item.target)
      ? []
      : [`${module} imports ${item.target}: what ships does not depend on what does not`];
  const path = item.target.replace(/^src\//, '').replace(/\.tsx?$/, '');
  if (mayImport(module, target) || mayImport(module, path)) return [];
  return [
    `${module} must not import ${path}; it may import ` +
      (modules[module]!.join(', ') || 'nothing of ours'),
  ];
}

const isOutside = (path: string): boolean => /^(tests|scripts|bench|web)\//.test(path);

function checkPackage(module: string, item: Import): string[] {
  if (browserModules.includes(module) && item.target.startsWith('node:') && !item.isTypeOnly)
    return [`${module} runs in a browser and imports ${item.target}`];
  return packageBoundaries
    .filter(
      (boundary) =>
        boundary.packages.test(item.target) &&
        !boundary.modules.includes(module) &&
        !(item.isTypeOnly && boundary.typesFor?.includes(module)),
    )
    .map(
      (boundary) =>
        `${module} must not import ${item.target}: ${boundary.name} belongs to ` +
        `${boundary.modules.join(' and ')}`,
    );
}
