import { join } from 'node:path';
import type { Config } from '#config/env.ts';
import { listKeyFingerprints } from '#db/queries/webhooks/webhook-key-fingerprints.ts';
import type { Services } from '#domain/base/context.ts';
import { markOf } from '#domain/alerting/webhooks/encryption.ts';

/**
 * Reports at the start that this host's key differs from the one that encrypted stored secrets.
 * Otherwise each delivery would fail.
 */
export async function checkEncryptionKey(
  config: Pick<Config, 'DATABASE_URL' | 'DATA_DIR' | 'ENCRYPTION_KEY'>,
  { systemDb, encryptionKey, log }: Pick<Services, 'systemDb' | 'encryptionKey' | 'log'>,
): Promise<void> {
  const file = join(config.DATA_DIR, 'secrets-key');
  if (config.DATABASE_URL !== null && config.ENCRYPTION_KEY === null)
    log.warn(
      { file },
      'ENCRYPTION_KEY is not set: the key that encrypts webhook secrets is a file on this ' +
        'host; other hosts need the same key, and so do backups',
    );
  const marks = await listKeyFingerprints(systemDb);
  // The key is created with the first secret, so a data directory without secrets stays unchanged.
  if (marks.length === 0) return;
  // A key that cannot be read decrypts none of them.
  const own = await encryptionKey().then(markOf, () => null);
  const elsewhere = marks
    .filter(({ mark }) => own === null || !mark.equals(own))
    .reduce((sum, { secrets }) => sum + secrets, 0);
  if (elsewhere === 0) return;
  const source = config.ENCRYPTION_KEY === null ? file : 'ENCRYPTION_KEY';
  log.error(
    { source, secrets: elsewhere },
    'stored secrets were encrypted with another key: deliveries of webhooks and the popularity ' +
      'sync fail until that key is restored, or they get new secrets',
  );
}
