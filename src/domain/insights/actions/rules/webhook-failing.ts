import type { WebhookFacts, WorkspaceFacts } from '../facts.ts';
import { keyOf, type Finding, type WorkspaceRule } from '../rule.ts';
import { thresholds } from '../thresholds.ts';
import { count, shorten } from '../format-text.ts';

const type = 'webhook-failing';
const rule = thresholds[type];
const hourMs = 3_600_000;

/**
 * A webhook that has failed for a day, or was disabled for that. Only its host is shown, because
 * its address may contain a secret.
 */
export const webhookFailing: WorkspaceRule = {
  type,
  scope: 'workspace',
  evaluate: ({ now, webhooks }: WorkspaceFacts) => ({
    findings: webhooks.flatMap((webhook) => evaluateWebhook(now, webhook) ?? []),
    undecided: [],
  }),
};

function evaluateWebhook(
  now: Date,
  { id, host, disabledBy, failures, failingSince }: WebhookFacts,
): Finding | null {
  const isPermanentlyFailing = disabledBy === 'gone' || disabledBy === 'failing';
  const failsFor = failingSince === null ? 0 : now.getTime() - failingSince.getTime();
  const isFailing =
    disabledBy === null && failsFor >= rule.failingHours * hourMs && failures >= rule.minFailures;
  if (!isPermanentlyFailing && !isFailing) return null;
  const since = failingSince?.toISOString() ?? null;
  const why =
    disabledBy === 'gone'
      ? 'Its endpoint responded with 410 (gone).'
      : `${count(failures, 'attempt')} have failed since ${since ?? 'a while ago'}.`;
  const state = isPermanentlyFailing
    ? 'Nothing is being sent to it.'
    : 'It will be disabled after five days without a successful delivery.';
  return {
    key: keyOf(type, 0, id),
    fingerprint: `${disabledBy ?? 'enabled'} ${since ?? ''}`,
    severity: isPermanentlyFailing ? 'high' : 'medium',
    title: isPermanentlyFailing
      ? `The webhook to ${shorten(host, 80)} was disabled`
      : `The webhook to ${shorten(host, 80)} keeps failing`,
    reason:
      `${why} ${state} GET /webhooks/${id}/deliveries shows the responses; fix the endpoint, ` +
      'then redeliver.',
    evidence: { webhookId: id, host, disabledBy, failures, failingSince: since },
    keywordIds: [],
    weight: isPermanentlyFailing ? 1_000_000 : failures,
  };
}
