import { mkdtemp, readdir, rm, utimes, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { removeAbandonedDrafts } from '#backups/backup-paths.ts';
import { BackupWriter } from '#backups/backup-writer.ts';
import { openBackup } from '#backups/open-backup.ts';

const now = new Date('2026-11-20T12:00:00Z');
const minutesAgo = (minutes: number) => new Date(now.getTime() - minutes * 60_000);
let folder: string;

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'toprung-test-drafts-'));
});
afterEach(() => rm(folder, { recursive: true }));

test('a backup is written beside the draft of a killed one of its name and process', async () => {
  const path = join(folder, 'mine.backup');
  const [killed, next] = [await BackupWriter.create(path), await BackupWriter.create(path)];
  expect(next.draft).not.toBe(killed.draft);
  await utimes(killed.draft, now, minutesAgo(61));
  await utimes(next.draft, now, minutesAgo(59));
  const [old, others] = [minutesAgo(90), ['.mine.backup.txt.partial', '.other.backup.7.partial']];
  for (const name of [...others, '.toprung-2026-11-20T100000Z.backup.7.partial']) {
    await writeFile(join(folder, name), '');
    await utimes(join(folder, name), old, old);
  }
  await removeAbandonedDrafts(path, now);
  const left = (await readdir(folder)).map((name) => join(folder, name));
  expect(left.sort()).toEqual([...others.map((name) => join(folder, name)), next.draft].sort());
  await next.discard();
  await killed.discard();
});

test('a backup does not replace one that another instance made in the same second', async () => {
  const name = 'toprung-2026-11-20T120000Z.backup';
  const path = join(folder, name);
  const write = async (product: string) => {
    const writer = await BackupWriter.create(path);
    const migrations = [{ name: '0001_first.sql', hash: 'a'.repeat(64) }];
    const facts = { product, createdAt: now.toISOString(), postgres: '18.4', migrations };
    await writer.finish({ ...facts, sequences: [], readers: [], keys: null });
    return writer;
  };
  const [first, second] = [await write('first'), await write('second')];
  await first.publish();
  await expect(second.publish()).rejects.toMatchObject({ code: 'EEXIST' });
  await second.discard();
  expect((await openBackup(path)).manifest.product).toBe('first');
  expect((await readdir(folder)).filter((file) => file.includes(name))).toEqual([name]);
});
