import { actions } from '../../contract/actions.ts';
import { changeAction, changeActions } from '../../domain/actions/change-actions.ts';
import { getAction, listActions } from '../../domain/actions/list-actions.ts';
import { requestActionsRun } from '../../domain/actions/run-actions.ts';
import { Answer, routesOf } from '../route.ts';

export const actionsRoutes = routesOf(actions, {
  'POST /actions/run': async ({ ctx }) => new Answer(202, await requestActionsRun(ctx)),
  'GET /actions': ({ ctx, query }) => listActions(ctx, query),
  'GET /actions/{id}': ({ ctx, params }) => getAction(ctx, params.id),
  'POST /actions/{id}/resolve': ({ ctx, params }) =>
    changeAction(ctx, params.id, { op: 'resolve' }),
  'POST /actions/{id}/dismiss': ({ ctx, params, body }) =>
    changeAction(ctx, params.id, { op: 'dismiss', reason: body.reason }),
  'POST /actions/{id}/snooze': ({ ctx, params, body }) =>
    changeAction(ctx, params.id, { op: 'snooze', until: body.until }),
  'POST /actions/{id}/reopen': ({ ctx, params }) => changeAction(ctx, params.id, { op: 'reopen' }),
  'POST /actions/bulk': ({ ctx, body }) => changeActions(ctx, body),
});
