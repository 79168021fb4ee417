import { insertAccountLink, type LinkPurpose } from '../../db/queries/account-links.ts';
import type { Tx } from '../../db/database.ts';
import type { Services } from '../context.ts';
import { createLinkSecret } from './links.ts';

const hourMs = 3_600_000;
const validMs: Record<LinkPurpose, number> = { password: hourMs, confirmation: 72 * hourMs };
const linksAnHour = 5;

/** The secret of a link of the account, for one use; null for who has had five of the kind within an hour. `mailed`: nobody else gets to see it. */
export async function makeLink(
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
