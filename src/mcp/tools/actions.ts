import { z } from 'zod';
import type { CallOutput, Client } from '#client/http.ts';
import { actionStates, actionTypes, severities } from '#contract/choices.ts';
import {
  appIdArgument,
  cursorArgument,
  dayArgument,
  shortLimitArgument,
} from '../argument-schemas.ts';
import { appId, notice, page } from '../common-schemas.ts';
import { defineTool, ToolError } from '../tool.ts';
import { cut, lines, quote, storeTextNotice, formatCount } from '../text-format.ts';

const actionRow = z.object({
  actionId: z.int(),
  appId: appId.nullable(),
  type: z.string(),
  severity: z.string(),
  state: z.string(),
  title: z.string(),
  reason: z.string(),
  keywordIds: z.array(z.int()),
  openedOn: z.string(),
});

const listActions = defineTool({
  name: 'list_actions',
  title: 'Suggested actions',
  description: 'Actions that rules suggest from stored facts, newest first, with reasons.',
  kind: 'read',
  input: z.strictObject({
    appId: appIdArgument.optional().describe('Default: all apps.'),
    state: z.enum(actionStates).default('open').describe('Its state.'),
    severity: z.enum(severities).optional().describe('Default: all.'),
    type: z.enum(actionTypes).optional().describe('Such as rank-drop; default: all.'),
    limit: shortLimitArgument.default(20),
    cursor: cursorArgument,
  }),
  output: z.object({ actions: z.array(actionRow), ...page, notice }),
  async run(api, query) {
    const list = await api('GET /actions', { query });
    const actions = list.items.map(formatAction);
    const text = lines(
      formatCount(actions.length, list, `${query.state} actions`, 'appId, severity or type'),
      actions.map(
        (row) =>
          `- action ${row.actionId} (${row.severity}, ${row.type}, since ` +
          `${row.openedOn}${row.appId === null ? '' : `, app ${row.appId}`}): ` +
          `${quote(row.title, 160)} ${quote(row.reason, 300)}`,
      ),
      storeTextNotice,
    );
    return {
      text,
      data: { actions, total: list.total, nextCursor: list.nextCursor, notice: storeTextNotice },
    };
  },
});

function formatAction(
  action: CallOutput<'GET /actions'>['items'][number],
): z.output<typeof actionRow> {
  const { id, appId: app, type, severity, state, title, reason, keywordIds, openedAt } = action;
  return {
    actionId: id,
    appId: app,
    type,
    severity,
    state,
    title: cut(title, 160),
    reason: cut(reason, 300),
    keywordIds: keywordIds.slice(0, 20),
    openedOn: openedAt.slice(0, 10),
  };
}

const operations = ['resolve', 'dismiss', 'snooze', 'reopen'] as const;

const resolveAction = defineTool({
  name: 'resolve_action',
  title: 'Update an action',
  description:
    'resolve: it was done. dismiss: hide it while its evidence is the same. snooze: hide it ' +
    'until a day. reopen undoes these.',
  kind: 'write',
  idempotent: true,
  input: z.strictObject({
    actionId: z.int().describe('From list_actions.'),
    operation: z.enum(operations).default('resolve').describe('See above.'),
    reason: z.string().optional().describe('To dismiss.'),
    until: dayArgument.optional().describe('To snooze: a future day.'),
  }),
  apiNames: { id: 'actionId' },
  output: actionRow.pick({ actionId: true, state: true, title: true }).extend({ notice }),
  async run(api, args) {
    const { actionId, state, title } = formatAction(await updateOne(api, args));
    return {
      text: lines(`Action ${actionId} is ${state}: ${quote(title, 160)}`, storeTextNotice),
      data: { actionId, state, title, notice: storeTextNotice },
    };
  },
});

interface ActionUpdate {
  actionId: number;
  operation: (typeof operations)[number];
  reason?: string | undefined;
  until?: string | undefined;
}

function updateOne(api: Client, { actionId, operation, reason, until }: ActionUpdate) {
  const params = { id: actionId };
  if (operation === 'resolve') return api('POST /actions/{id}/resolve', { params });
  if (operation === 'reopen') return api('POST /actions/{id}/reopen', { params });
  if (operation === 'dismiss')
    return api('POST /actions/{id}/dismiss', {
      params,
      body: reason === undefined ? {} : { reason },
    });
  if (until === undefined)
    throw new ToolError(
      'To snooze, give until: a future day, such as 2026-12-01. Nothing was written.',
    );
  return api('POST /actions/{id}/snooze', { params, body: { until: `${until}T00:00:00Z` } });
}

export const actionTools = [listActions, resolveAction];
