import { claimUpdateCheck, saveNewestVersion } from '#db/queries/updates/updates.ts';
import type { Services } from '#domain/base/context.ts';
import type { UpdateSource } from '#domain/base/ports.ts';

const everyMs = 24 * 3_600_000;

/**
 * Asks for the newest release, at most once a day for the whole instance, also after failures and
 * restarts. It goes on after this returns, because a tick must not wait for the network.
 */
export async function checkForUpdate(services: Services): Promise<void> {
  const { updates, systemDb, clock } = services;
  if (updates === null) return;
  const now = clock.now();
  const askedBefore = new Date(now.getTime() - everyMs);
  if (await claimUpdateCheck(systemDb, { now, askedBefore })) void readNewest(services, updates);
}

/** Never rejects. */
async function readNewest({ systemDb, log }: Services, updates: UpdateSource): Promise<void> {
  try {
    await saveNewestVersion(systemDb, await updates.readNewest());
  } catch (error) {
    log.info(
      { error: (error as Error).message },
      'the newest version could not be read from UPDATE_CHECK_URL, will retry in a day',
    );
  }
}
