import { cp, mkdir, mkdtemp, readdir, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { hasPrograms, root, run } from './programs.ts';
import { readOps } from './static-files.ts';

const canRun = hasPrograms(['systemd-analyze'], 'the units of systemd are not verified');
const units = (await readdir(join(root, 'ops/systemd'))).filter((name) =>
  /\.(service|target)$/.test(name),
);
const services = units.filter((name) => name.endsWith('.service'));
/** The scale ends at ten; systemd calls 2 OK. An unconfined service has 9.6. */
const exposureMax = 2;

describe.skipIf(!canRun)('systemd', () => {
  let folder: string;
  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'toprung-units-'));
    const own = join(folder, 'etc/systemd/system');
    await mkdir(own, { recursive: true });
    for (const name of units) await cp(join(root, 'ops/systemd', name), join(own, name));
    await cp('/lib/systemd/system', join(folder, 'lib/systemd/system'), {
      recursive: true,
      verbatimSymlinks: true,
    });
    const program = join(folder, 'opt/toprung/node_modules/.bin/node');
    await mkdir(join(program, '..'), { recursive: true });
    await writeFile(program, '#!/bin/sh\n', { mode: 0o755 });
  });
  afterAll(() => rm(folder, { recursive: true }));

  /** Findings; unknown settings and values are only warnings. */
  const verify = (name: string) =>
    run('systemd-analyze', ['verify', '--root', folder, name], { withErrors: true });

  test.each(units)('verifies %s', async (name) => {
    expect(await verify(name)).toBe('');
  });

  test('refuses a unit with a misspelt setting', async () => {
    const text = (await readOps('systemd/toprung.service')).replace('Type=exec', 'Type=exce');
    await writeFile(join(folder, 'etc/systemd/system/misspelt.service'), text);
    expect(await verify('misspelt.service')).toContain('exce');
  });

  test.each(services)('finds %s well confined', async (name) => {
    const threshold = `--threshold=${exposureMax * 10}`;
    const path = join(root, 'ops/systemd', name);
    const flags = ['security', '--no-pager', '--offline=true', threshold];
    expect(await run('systemd-analyze', [...flags, path])).toMatch(
      /exposure level .+: [01]\.\d OK/,
    );
  });
});

test('the services differ in role, name, memory and order only', async () => {
  const texts = await Promise.all(services.map((name) => readOps(`systemd/${name}`)));
  const commonOf = (text: string) =>
    text
      .slice(text.indexOf('[Service]'))
      .split('\n')
      .filter(
        (line) => !/^(ExecStart|Environment|RuntimeDirectory|MemoryMax|WantedBy)=/.test(line),
      );
  for (const text of texts) expect(commonOf(text)).toEqual(commonOf(texts[0]!));
});
