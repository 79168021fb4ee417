/** The rooms and who may import whom. ARCHITECTURE.md shows this table and is held to it. */
import { listImports, type Import } from './imports.ts';
import { isScript, type Finding, type SourceText } from './tree.ts';

/** By room: the rooms, or the single files, it may import. Its own files are always allowed. */
export const rooms: Record<string, readonly string[]> = {
  contract: [],
  lib: [],
  config: ['lib'],
  db: ['contract', 'lib'],
  domain: ['contract', 'lib', 'db'],
  stores: ['domain/ports', 'contract', 'lib', 'db/queries/pacing'],
  outbound: ['domain/ports', 'lib'],
  queue: ['domain/ports', 'lib'],
  counters: [
    'domain/accounts/attempt-counters',
    'domain/billing/request-counters',
    'lib',
    'db/queries/limits',
  ],
  payments: ['domain/ports', 'lib'],
  jobs: ['queue', 'domain', 'contract', 'lib'],
  api: ['domain', 'contract', 'lib'],
  client: ['contract', 'lib'],
  mcp: ['client', 'contract', 'lib'],
  gateway: ['lib'],
  boot: [
    'contract',
    'lib',
    'config',
    'db',
    'domain',
    'stores',
    'outbound',
    'queue',
    'counters',
    'payments',
    'jobs',
    'api',
    'client',
    'gateway',
  ],
  cli: ['boot', 'client', 'mcp', 'config', 'lib', 'simulator'],
  simulator: ['contract', 'lib'],
  web: ['client', 'contract', 'lib'],
};

/** Packages that belong to some rooms only. `typesFor` may name their types. */
export const packageWalls: readonly {
  packages: RegExp;
  rooms: readonly string[];
  typesFor?: readonly string[];
  name: string;
}[] = [
  {
    name: 'Fastify',
    packages: /^(fastify$|@fastify\/|fastify-)/,
    rooms: ['api', 'gateway'],
    typesFor: ['boot'],
  },
  { name: 'BullMQ', packages: /^(bullmq|@bull-board\/.*)$/, rooms: ['queue', 'jobs'] },
  { name: 'Redis', packages: /^ioredis$/, rooms: ['queue', 'jobs', 'counters'] },
  { name: 'Kysely', packages: /^kysely/, rooms: ['db'] },
  { name: 'pg', packages: /^pg($|\/)/, rooms: ['db', 'queue'], typesFor: ['boot'] },
  { name: 'Stripe', packages: /^stripe$/, rooms: ['payments'] },
  { name: 'The MCP SDK', packages: /^@modelcontextprotocol\//, rooms: ['mcp'] },
  { name: 'undici', packages: /^undici$/, rooms: ['stores', 'outbound'] },
  { name: 'commander', packages: /^(commander|@clack\/.*)$/, rooms: ['cli'] },
];

/** These run in a browser too. */
const browserRooms = ['contract', 'client', 'web'];

/** The room a file lives in; null for tests, scripts and bench, which may look into all of them. */
export function roomOf(path: string): string | null {
  if (path.startsWith('simulator/')) return 'simulator';
  if (path.startsWith('web/src/')) return 'web';
  return /^src\/([^/]+)\//.exec(path)?.[1] ?? null;
}

export function findWallBreaks(files: readonly SourceText[]): Finding[] {
  return files.filter(isScript).flatMap((file) => {
    const room = roomOf(file.path);
    if (room === null)
      return file.path.startsWith('src/')
        ? [{ path: file.path, line: 1, problem: 'lies in no room: move it into a folder of src' }]
        : [];
    if (!(room in rooms))
      return [
        {
          path: file.path,
          line: 1,
          problem: `${room} is not a room: add it to scripts/rules/walls.ts and ARCHITECTURE.md`,
        },
      ];
    return listImports(file).flatMap((item) =>
      judge(room, item).map((problem) => ({ path: file.path, line: item.line, problem })),
    );
  });
}

function judge(room: string, item: Import): string[] {
  if (!item.isOurs) return judgePackage(room, item);
  const target = roomOf(item.target);
  if (target === room) return [];
  if (target === null)
    return room === 'simulator' || !isOutside(item.target)
      ? []
      : [`${room} imports ${item.target}: what ships does not lean on what does not`];
  const allowed = rooms[room]!;
  const path = item.target.replace(/^src\//, '').replace(/\.tsx?$/, '');
  if (allowed.includes(target) || allowed.includes(path)) return [];
  return [
    `${room} must not import ${path}; it may import ${allowed.join(', ') || 'nothing of ours'}`,
  ];
}

const isOutside = (path: string): boolean => /^(tests|scripts|bench|web)\//.test(path);

function judgePackage(room: string, item: Import): string[] {
  if (browserRooms.includes(room) && item.target.startsWith('node:') && !item.isTypeOnly)
    return [`${room} runs in a browser and imports ${item.target}`];
  return packageWalls
    .filter(
      (wall) =>
        wall.packages.test(item.target) &&
        !wall.rooms.includes(room) &&
        !(item.isTypeOnly && wall.typesFor?.includes(room)),
    )
    .map(
      (wall) =>
        `${room} must not import ${item.target}: ${wall.name} belongs to ${wall.rooms.join(' and ')}`,
    );
}
