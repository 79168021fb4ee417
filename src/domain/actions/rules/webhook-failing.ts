import type { WebhookFacts, WorkspaceFacts } from '../facts.ts';
import { keyOf, type Finding, type WorkspaceRule } from '../rule.ts';
import { thresholds } from '../thresholds.ts';
import { count, shorten } from '../wording.ts';

const type = 'webhook-failing';
const rule = thresholds[type];
const hourMs = 3_600_000;

/** A webhook that has failed for a day, or was disabled for it. Its address may hold a secret: only its host is told. */
export const webhookFailing: WorkspaceRule = {
  type,
  scope: 'workspace',
  judge: ({ now, webhooks }: WorkspaceFacts) => ({
    findings: webhooks.flatMap((webhook) => judgeWebhook(now, webhook) ?? []),
    undecided: [],
  }),
};

function judgeWebhook(
  now: Date,
  { id, host, disabledBy, failures, failingSince }: WebhookFacts,
): Finding | null {
  const isGivenUp = disabledBy === 'gone' || disabledBy === 'failing';
  const failsFor = failingSince === null ? 0 : now.getTime() - failingSince.getTime();
  const isFailing =
    disabledBy === null && failsFor >= rule.failingHours * hourMs && failures >= rule.minFailures;
  if (!isGivenUp && !isFailing) return null;
  const since = failingSince?.toISOString() ?? null;
  const why =
    disabledBy === 'gone'
      ? 'Its receiver answered 410: it is gone.'
      : `${count(failures, 'attempt')} have failed since ${since ?? 'a while ago'}.`;
  return {
    key: keyOf(type, 0, id),
    fingerprint: `${disabledBy ?? 'enabled'} ${since ?? ''}`,
    severity: isGivenUp ? 'high' : 'medium',
    title: isGivenUp
      ? `The webhook to ${shorten(host, 80)} was disabled`
      : `The webhook to ${shorten(host, 80)} keeps failing`,
    reason: `${why} ${isGivenUp ? 'Nothing is sent there now.' : 'After five days of failures alone it is disabled.'} GET /webhooks/${id}/deliveries shows the answers; repair the receiver, then redeliver.`,
    evidence: { webhookId: id, host, disabledBy, failures, failingSince: since },
    keywordIds: [],
    weight: isGivenUp ? 1_000_000 : failures,
  };
}
