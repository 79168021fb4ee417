import { existsSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { readTree, root } from '../../scripts/rules/tree.ts';
import { findWallBreaks, packageWalls, rooms } from '../../scripts/rules/walls.ts';
import { judge, print } from './plant.ts';

/** Where a room is, seen from `src/<room>/planted.ts`. */
const folders = (room: string) =>
  room === 'simulator' ? 'simulator' : room === 'web' ? 'web/src' : `src/${room}`;
const upTo = (room: string) => (room === 'simulator' ? '../' : '../../');
const importOf = (room: string, other: string) =>
  other === 'simulator' || other === 'web'
    ? `import { a } from '${upTo(room)}${folders(other)}/a.ts';`
    : `import { a } from '${upTo(room)}src/${other}/a.ts';`;

const pairs = Object.keys(rooms).flatMap((room) =>
  Object.keys(rooms)
    .filter((other) => other !== room)
    .map((other) => [room, other] as const),
);
const isWholeRoomAllowed = (room: string, other: string) => rooms[room]!.includes(other);

describe('walls', () => {
  it('the tree has no import through a wall', () => {
    expect(print(findWallBreaks(readTree()))).toEqual([]);
  });

  it('every folder of src is a room', () => {
    const folder = readTree().flatMap((file) => /^src\/([^/]+)\//.exec(file.path)?.[1] ?? []);
    expect([...new Set(folder)].filter((name) => !(name in rooms))).toEqual([]);
  });

  it.each(pairs.filter(([room, other]) => !isWholeRoomAllowed(room, other)))(
    '%s importing %s is caught',
    (room, other) => {
      expect(
        judge(findWallBreaks, `${folders(room)}/planted.ts`, importOf(room, other)),
      ).toHaveLength(1);
    },
  );

  it.each(pairs.filter(([room, other]) => isWholeRoomAllowed(room, other)))(
    '%s may import %s',
    (room, other) => {
      expect(judge(findWallBreaks, `${folders(room)}/planted.ts`, importOf(room, other))).toEqual(
        [],
      );
    },
  );

  it('a single file let through a wall lets nothing else through', () => {
    expect(
      judge(
        findWallBreaks,
        'src/stores/planted.ts',
        "import type { Store } from '../domain/ports.ts';",
      ),
    ).toEqual([]);
    expect(
      judge(
        findWallBreaks,
        'src/stores/planted.ts',
        "import { grant } from '../db/queries/pacing.ts';",
      ),
    ).toEqual([]);
    expect(
      judge(
        findWallBreaks,
        'src/stores/planted.ts',
        "import { listApps } from '../db/queries/apps.ts';",
      ),
    ).toHaveLength(1);
    expect(
      judge(
        findWallBreaks,
        'src/queue/planted.ts',
        "import { tick } from '../domain/runs/tick.ts';",
      ),
    ).toHaveLength(1);
    for (const may of Object.values(rooms)
      .flat()
      .filter((path) => path.includes('/')))
      expect(existsSync(`${root}src/${may}.ts`), may).toBe(true);
  });

  it.each([
    ['a type', "import type { A } from '../domain/a.ts';"],
    ['a re-export', "export { a } from '../domain/a.ts';"],
    ['a late import', "export const a = () => import('../domain/a.ts');"],
    ['a type inside a type', "export type A = import('../domain/a.ts').A;"],
    ['an import for its effect', "import '../domain/a.ts';"],
  ])('%s goes through a wall like any other import', (_name, text) => {
    expect(judge(findWallBreaks, 'src/lib/planted.ts', text)).toHaveLength(1);
  });

  it.each(['tests/harness/a.ts', 'scripts/a.ts', 'bench/a.ts'])(
    'what ships does not import %s',
    (path) => {
      expect(
        judge(findWallBreaks, 'src/boot/planted.ts', `import { a } from '../../${path}';`),
      ).toHaveLength(1);
    },
  );

  it('a file in no room, and a room nobody knows, are caught', () => {
    expect(judge(findWallBreaks, 'src/planted.ts', '')).toHaveLength(1);
    expect(judge(findWallBreaks, 'src/cellar/planted.ts', '')).toHaveLength(1);
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
    'The MCP SDK': ['@modelcontextprotocol/server', '@modelcontextprotocol/server/stdio'],
    undici: ['undici'],
    commander: ['commander', '@clack/prompts'],
  };

  it('each wall of a package has its sample', () => {
    expect(Object.keys(samples)).toEqual(packageWalls.map((wall) => wall.name));
  });

  it.each(packageWalls.flatMap((wall) => samples[wall.name]!.map((name) => [name, wall] as const)))(
    '%s stays in its rooms',
    (name, wall) => {
      for (const room of Object.keys(rooms)) {
        const problems = judge(
          findWallBreaks,
          `${folders(room)}/planted.ts`,
          `import a from '${name}';`,
        );
        expect(problems.length, room).toBe(wall.rooms.includes(room) ? 0 : 1);
      }
    },
  );

  it('boot hands pools and servers around by their types alone', () => {
    expect(
      judge(
        findWallBreaks,
        'src/boot/planted.ts',
        "import type pg from 'pg';\nimport { type FastifyInstance } from 'fastify';",
      ),
    ).toEqual([]);
    expect(judge(findWallBreaks, 'src/boot/planted.ts', "import pg from 'pg';")).toHaveLength(1);
    expect(
      judge(findWallBreaks, 'src/domain/planted.ts', "import type pg from 'pg';"),
    ).toHaveLength(1);
  });

  it.each(['src/contract', 'src/client', 'web/src'])(
    '%s runs in a browser: no module of Node',
    (folder) => {
      expect(
        judge(findWallBreaks, `${folder}/planted.ts`, "import { readFileSync } from 'node:fs';"),
      ).toHaveLength(1);
    },
  );
});
