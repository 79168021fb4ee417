import { listingDrafts } from '#contract/listing-drafts.ts';
import type { Hints } from './openapi-values.ts';
import type { FilledAccount, World } from './openapi-world.ts';

/** Ends the session it belongs to, the account or the workspace. */
export const endsCredential = new Set([
  'POST /auth/sign-out',
  'DELETE /auth/sessions',
  'DELETE /auth/account',
  'POST /auth/password',
  'DELETE /workspace',
]);

const history = 'phrase,date,position\nhabit tracker,2026-05-01,5\nhabit tracker,2026-05-02,>100\n';
const zipExample = listingDrafts['POST /listing-drafts/{id}/zip/preview'].example;
const mapping = { phrase: 'phrase', date: 'date', position: 'position' };

/** Bodies and values that schemas cannot express, by operation; `body` is the whole body. */
function meaningful(
  { receiver }: World,
  account: FilledAccount,
): Record<string, Record<string, readonly unknown[]>> {
  const { single } = account;
  return {
    // As a user who has not changed the password.
    'POST /auth/sign-in': { body: [{ email: account.email, password: account.password }] },
    'DELETE /auth/account': { password: [account.password] },
    'PUT /auth/session/workspace': { workspaceId: [account.workspaceId] },
    'POST /auth/password': { current: [account.password], next: ['another long password'] },
    'POST /auth/password/reset': { token: [single.resetToken] },
    'POST /auth/email/confirm': { token: [single.confirmToken], password: [account.password] },
    'POST /reports/open': { token: [single.reportToken] },
    'POST /jobs/{jobId}/retry': { jobId: [single.failedJobId] },
    'POST /jobs/{jobId}/cancel': { jobId: [single.queuedJobId] },
    'POST /apps': { storeAppId: ['1500000001', single.otherStoreAppIds[0]!] },
    'POST /apps/{id}/competitors': { storeAppId: single.otherStoreAppIds },
    'POST /apps/{id}/keywords/import': {
      text: ['phrase,country\nfocus timer,us\n'],
      mapping: [{}],
      delimiter: [','],
    },
    'POST /workspace/imports': {
      body: [
        {
          format: 'csv',
          appId: account.ids.get('/apps/{id}')?.[0],
          text: history,
          mapping,
          country: 'us',
          depth: 100,
        },
        { format: 'ndjson', parts: 1 },
      ],
    },
    // Only a real zip is accepted.
    'POST /listing-drafts/{id}/zip/preview': { body: [zipExample] },
    'POST /listing-drafts/{id}/zip': { body: [zipExample, {}] },
    'PUT /popularity/credentials': { body: [single.adsCredentials] },
    'POST /popularity/quarantine/{setId}/accept': { setId: single.quarantinedSetIds.slice(0, 1) },
    'POST /popularity/quarantine/{setId}/discard': { setId: single.quarantinedSetIds.slice(1) },
    'GET /store/apps/lookup': { url: ['https://apps.apple.com/us/app/lumen/id1500000001'] },
    'POST /actions/bulk': { ids: account.ids.get('/actions/{id}') ?? [] },
    // Each caller has an account of its own, with a mailbox as its name.
    'DELETE /workspace': { confirmName: [`${account.email.split('@')[0]}’s workspace`] },
    'POST /billing/events': { body: [{ id: 'evt_1', type: 'ping' }] },
    'POST /webhooks': { url: [`${receiver.url}/more`] },
    'POST /webhooks/deliveries/{deliveryId}/redeliver': { deliveryId: single.eventDeliveryIds },
    'PATCH /webhooks/{id}': { url: [`${receiver.url}/more`], enabled: [true] },
  };
}

export function examplesOf(world: World, account: FilledAccount): Hints {
  const hints = world.hintsFor(account);
  const examples = meaningful(world, account);
  return (key, name) => examples[key]?.[name === '' ? 'body' : name] ?? hints(key, name);
}
