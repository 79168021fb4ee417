import type { ErrorCode } from '#contract/errors.ts';

interface Remedy {
  remedy: string;
  /** A tool that helps, and the way it does. Named only if the client is offered it. */
  next?: readonly [tool: string, use: string];
}

const reconnect = 'Create a token in the dashboard under Settings, API tokens, and connect again.';
const later = 'Try again then.';

/** For each error of the API, the remedy of somebody who calls tools and sees no HTTP. */
export const remedies: Readonly<Record<ErrorCode, Remedy>> = {
  invalid_request: { remedy: 'Correct them and call the tool again; nothing was written.' },
  invalid_country: { remedy: 'Send it like us; nothing was written.' },
  phrase_too_long: { remedy: 'Shorten it; nothing was written.' },
  too_many_words: { remedy: 'Split it; nothing was written.' },
  too_many_keywords: { remedy: 'Split the call; nothing was written.' },
  keyword_field_too_long: { remedy: 'Shorten text; nothing was written.' },
  keyword_field_normalized_too_long: {
    remedy: 'Remove words from text; nothing was written.',
    next: ['check_keyword_field', 'shows the words that are wasted'],
  },
  unusable_zip: { remedy: 'Nothing was written.' },
  unknown_event: { remedy: 'Nothing was written.' },
  invalid_cursor: { remedy: 'Leave cursor out to begin with the first page.' },
  idempotency_mismatch: { remedy: 'Call the tool again.' },
  idempotency_response_lost: { remedy: 'Read what exists now before you call the tool again.' },
  precondition_failed: { remedy: 'Read it again; nothing was written.' },
  workspace_switched: { remedy: 'This is a fault of the server.' },
  unsupported_media_type: { remedy: 'This is a fault of the server.' },
  payload_too_large: { remedy: 'Send less in one call; nothing was written.' },
  method_not_allowed: { remedy: 'This is a fault of the server.' },
  unauthenticated: { remedy: reconnect },
  credential_throttled: { remedy: reconnect },
  auth_throttled: { remedy: later },
  no_live_plan: {
    remedy: 'An owner can start a plan in the dashboard.',
    next: ['whoami', 'shows the state of the workspace'],
  },
  quota_apps: {
    remedy: 'Archive an app in the dashboard, or upgrade the plan.',
    next: ['whoami', 'shows the limits'],
  },
  quota_keyword_markets: {
    remedy: 'Stop tracking other keywords, or upgrade the plan.',
    next: ['whoami', 'shows the limits'],
  },
  quota_members: { remedy: 'Upgrade the plan.', next: ['whoami', 'shows the limits'] },
  workspace_suspended: {
    remedy: 'Ask the operator of this instance; an owner can restore a deleted workspace.',
    next: ['whoami', 'shows the state of the workspace'],
  },
  read_only_token: { remedy: 'Use a token with write access.' },
  forbidden: { remedy: 'Ask an owner of the workspace.', next: ['whoami', 'shows the role'] },
  not_found: { remedy: 'Nothing was written.' },
  rate_limited: { remedy: '' },
  on_demand_cap: { remedy: '', next: ['whoami', 'shows the allowances'] },
  store_app_not_found: {
    remedy: 'Check the id, or try another country.',
    next: ['find_app', 'searches the store by name'],
  },
  store_unavailable: { remedy: 'Nothing was lost or guessed.' },
  popularity_key_missing: { remedy: 'An operator saves credentials in the settings.' },
  popularity_key_rejected: { remedy: 'An operator saves new credentials in the settings.' },
  popularity_source_unavailable: { remedy: 'Nothing was stored.' },
  queue_full: { remedy: 'Reads still work; try again when the queue has drained.' },
  unavailable: { remedy: '' },
  internal: { remedy: 'Try again; the server’s log has the details.' },
};
