import { mkdtemp, readdir, rm, utimes, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { removeAbandonedDrafts } from '#backups/backup-paths.ts';
import { BackupWriter } from '#backups/backup-writer.ts';

const now = new Date('2026-11-20T12:00:00Z');
const minutesAgo = (minutes: number) => new Date(now.getTime() - minutes * 60_000);
let folder: string;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'toprung-test-drafts-'));
});
afterAll(() => rm(folder, { recursive: true }));

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
