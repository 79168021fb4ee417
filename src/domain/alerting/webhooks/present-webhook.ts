import type { z } from 'zod';
import { editableOfWebhook, type EventType, type webhook } from '#contract/webhooks.ts';
import type { WebhookRow } from '#db/queries/webhooks/webhooks.ts';
import { etagOf } from '#domain/base/assert-unchanged.ts';
import { maskAddress } from './mask-address.ts';

export type WebhookRecord = z.input<typeof webhook>;

/** The visible fields of a webhook, without its secret and the secret part of its address. */
export function toWebhook(row: WebhookRow, now: Date): WebhookRecord {
  const until = row.oldSecrets
    .map((secret) => secret.until)
    .filter((instant) => new Date(instant) > now);
  const editable = {
    url: maskAddress(row),
    events: row.events as EventType[],
    description: row.description,
    enabled: row.enabled,
  };
  return {
    id: row.id,
    ...editable,
    format: row.kind,
    hasSecret: true,
    secretStrength: row.secretStrength,
    oldSecretsUntil: until.toSorted().at(-1) ?? null,
    state: !row.enabled ? 'disabled' : row.failingSince ? 'failing' : 'healthy',
    disabledBy: row.disabledBy,
    failingSince: row.failingSince?.toISOString() ?? null,
    lastDelivery: row.last && {
      id: row.last.id,
      type: row.last.type as EventType,
      state: row.last.state as NonNullable<WebhookRecord['lastDelivery']>['state'],
      httpStatus: row.last.status,
      at: new Date(row.last.at).toISOString(),
    },
    createdAt: row.createdAt.toISOString(),
    etag: etagOf(editable, editableOfWebhook),
  };
}
