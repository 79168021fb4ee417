import { insertAccountLink, type LinkPurpose } from '#db/queries/auth/account-links.ts';
import type { Tx } from '#db/database.ts';
import type { Services } from '#domain/base/context.ts';
import { createLinkSecret } from './link-secrets.ts';

const hourMs = 3_600_000;
const validMs: Record<LinkPurpose, number> = { password: hourMs, confirmation: 72 * hourMs };
const linksAnHour = 5;

/**
 * Creates the secret of a one-time link; null after five of the kind within an hour. `mailed` means
 * that only the address receives it.
 */
export async function createAccountLink(
  tx: Tx,
  { clock }: Pick<Services, 'clock'>,
  link: { userId: number; purpose: LinkPurpose; mailed: boolean },
): Promise<string | null> {
  const createdAt = clock.now();
  const nowMs = createdAt.getTime();
  const { secret, hash } = createLinkSecret();
  const row = {
    ...link,
    secretHash: hash,
    createdAt,
    expiresAt: new Date(nowMs + validMs[link.purpose]),
  };
  return (await insertAccountLink(tx, row, { max: linksAnHour, since: new Date(nowMs - hourMs) }))
    ? secret
    : null;
}
