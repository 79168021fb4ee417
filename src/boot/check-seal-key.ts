import { join } from 'node:path';
import type { Config } from '../config/env.ts';
import { listSealMarks } from '../db/queries/webhook-seals.ts';
import type { Services } from '../domain/context.ts';
import { markOf } from '../domain/webhooks/seal.ts';

/** Says at the start what would else show with each delivery: that this host has another key than the one webhook secrets are sealed with. */
export async function checkSealKey(
  config: Pick<Config, 'DATABASE_URL' | 'DATA_DIR' | 'SECRETS_KEY'>,
  { systemDb, sealKey, log }: Pick<Services, 'systemDb' | 'sealKey' | 'log'>,
): Promise<void> {
  const file = join(config.DATA_DIR, 'secrets-key');
  if (config.DATABASE_URL !== null && config.SECRETS_KEY === null)
    log.warn(
      { file },
      'SECRETS_KEY is not set: the key to the webhooks’ secrets is a file of this host; other hosts need the same, and so does a backup',
    );
  const marks = await listSealMarks(systemDb);
  // The key is made with the first secret, so a data directory that holds none may stay as it is.
  if (marks.length === 0) return;
  // A key that cannot be read opens none of them.
  const own = await sealKey().then(markOf, () => null);
  const elsewhere = marks
    .filter(({ mark }) => own === null || !mark.equals(own))
    .reduce((sum, { secrets }) => sum + secrets, 0);
  if (elsewhere === 0) return;
  const source = config.SECRETS_KEY === null ? file : 'SECRETS_KEY';
  log.error(
    { source, secrets: elsewhere },
    'webhook secrets were sealed with another key: nothing is delivered with them until that key is back, or the webhooks get new secrets',
  );
}
