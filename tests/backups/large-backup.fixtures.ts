import { randomBytes } from 'node:crypto';
import { BackupWriter } from '#backups/backup-writer.ts';

const rowBytes = 3 * 2 ** 10;

/** A whole backup of about this size, with rows that do not shrink; no database has it. */
export async function writeLargeBackup(path: string, bytes: number): Promise<void> {
  const writer = await BackupWriter.create(path);
  async function* rows() {
    for (let written = 0; written < bytes; written += rowBytes)
      yield Buffer.from(`${randomBytes(rowBytes).toString('base64')}\n`);
  }
  await writer.addTable({ name: 'snapshots', columns: ['value'], partitions: [] }, rows());
  await writer.finish({
    product: '0.4.0',
    createdAt: '2026-11-24T13:05:00.000Z',
    postgres: '18.4',
    migrations: [{ name: '0001_first.sql', hash: 'a'.repeat(64) }],
    sequences: [],
    readers: [],
    keys: null,
  });
  await writer.publish();
}
