import { mkdtemp, readdir, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, inject, test } from 'vitest';
import { startToprung } from '../harness/process.ts';

let folder: string;
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'toprung-boot-'));
});
afterEach(() => rm(folder, { recursive: true, force: true }));

describe('a command', () => {
  test('reads the .env of its folder, as npm start does; what the environment has counts', async () => {
    const databaseUrl = Object.assign(new URL(inject('clusterUrl')), { pathname: '/toprung_template' }).href;
    await writeFile(join(folder, '.env'), `DATABASE_URL='${databaseUrl}'\nLOG_LEVEL=loud\n`);
    const migrating = startToprung(['migrate'], { DATA_DIR: join(folder, 'data'), LOG_LEVEL: 'warn' }, folder);
    expect(await migrating.exited).toEqual({ code: 0, signal: null });
    expect(await readdir(folder)).toEqual(['.env']);
    const wrong = startToprung(['user', 'confirm', 'nobody@example.org'], { LOG_LEVEL: '' }, folder);
    expect((await wrong.exited).code).toBe(78);
    expect(wrong.output()).toContain('no account has the address');
  });
});
