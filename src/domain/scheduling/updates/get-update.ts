import type { z } from 'zod';
import type { admin } from '#contract/admin.ts';
import { readNewestVersion } from '#db/queries/updates/updates.ts';
import type { Ctx } from '#domain/base/context.ts';
import { isNewerRelease } from '#lib/release-version.ts';

export type Update = z.input<(typeof admin)['GET /admin/updates']['responses'][200]>;

/** The version that runs, and a newer one if one is known. */
export async function getUpdate(
  { updates, systemDb }: Pick<Ctx, 'updates' | 'systemDb'>,
  running: string,
): Promise<Update> {
  if (updates === null) return { running, newer: null, askedAt: null };
  const { version, askedAt } = await readNewestVersion(systemDb);
  const isNewer = version !== null && isNewerRelease(version, running);
  return { running, newer: isNewer ? version : null, askedAt: askedAt?.toISOString() ?? null };
}
