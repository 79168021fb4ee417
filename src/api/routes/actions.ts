import { actions } from '#contract/actions.ts';
import { updateAction, updateActions } from '#domain/insights/actions/update-actions.ts';
import { getAction, listActions } from '#domain/insights/actions/list-actions.ts';
import { requestActionsRun } from '#domain/insights/actions/run-actions.ts';
import { ResponseOf, routesOf } from '../route.ts';

export const actionsRoutes = routesOf(actions, {
  'POST /actions/run': async ({ ctx }) => new ResponseOf(202, await requestActionsRun(ctx)),
  'GET /actions': ({ ctx, query }) => listActions(ctx, query),
  'GET /actions/{id}': ({ ctx, params }) => getAction(ctx, params.id),
  'POST /actions/{id}/resolve': ({ ctx, params }) =>
    updateAction(ctx, params.id, { op: 'resolve' }),
  'POST /actions/{id}/dismiss': ({ ctx, params, body }) =>
    updateAction(ctx, params.id, { op: 'dismiss', reason: body.reason }),
  'POST /actions/{id}/snooze': ({ ctx, params, body }) =>
    updateAction(ctx, params.id, { op: 'snooze', until: body.until }),
  'POST /actions/{id}/reopen': ({ ctx, params }) => updateAction(ctx, params.id, { op: 'reopen' }),
  'POST /actions/bulk': ({ ctx, body }) => updateActions(ctx, body),
});
