import { webhooks } from '#contract/webhooks.ts';
import { updateWebhook } from '#domain/alerting/webhooks/update-webhook.ts';
import {
  rotateWebhookSecret,
  deleteWebhook,
  getWebhook,
  listWebhooks,
} from '#domain/alerting/webhooks/webhooks.ts';
import { getDelivery, listDeliveries } from '#domain/alerting/webhooks/list-deliveries.ts';
import { redeliverMany, redeliverOne } from '#domain/alerting/webhooks/redeliver.ts';
import { registerWebhook } from '#domain/alerting/webhooks/register-webhook.ts';
import { sendTest } from '#domain/alerting/webhooks/send-test.ts';
import { ResponseOf, routesOf } from '../route.ts';

export const webhooksRoutes = routesOf(webhooks, {
  'GET /webhooks': ({ ctx, query }) => listWebhooks(ctx, query),
  'POST /webhooks': async ({ ctx, body }) => new ResponseOf(201, await registerWebhook(ctx, body)),
  'GET /webhooks/{id}': ({ ctx, params }) => getWebhook(ctx, params.id),
  'PATCH /webhooks/{id}': ({ ctx, params, body }) => updateWebhook(ctx, params.id, body),
  'DELETE /webhooks/{id}': async ({ ctx, params }) => {
    await deleteWebhook(ctx, params.id);
    return { id: params.id, deleted: true as const };
  },
  'POST /webhooks/{id}/secret': ({ ctx, params, body }) =>
    rotateWebhookSecret(ctx, params.id, body.secret),
  'POST /webhooks/{id}/test': ({ ctx, params, body, signal }) =>
    sendTest(ctx, params.id, body.type, signal),
  'GET /webhooks/{id}/deliveries': ({ ctx, params, query }) =>
    listDeliveries(ctx, params.id, query),
  'GET /webhooks/deliveries/{deliveryId}': ({ ctx, params }) => getDelivery(ctx, params.deliveryId),
  'POST /webhooks/deliveries/{deliveryId}/redeliver': async ({ ctx, params }) =>
    new ResponseOf(202, await redeliverOne(ctx, params.deliveryId)),
  'POST /webhooks/{id}/redeliver': async ({ ctx, params, body }) =>
    new ResponseOf(202, await redeliverMany(ctx, params.id, body)),
});
