import './api.fixtures.ts';
import { MantineProvider } from '@mantine/core';
import { QueryClient, QueryClientProvider } from '@tanstack/react-query';
import i18next from 'i18next';
import { createElement, type ReactNode } from 'react';
import { renderToStaticMarkup } from 'react-dom/server';
import { I18nextProvider } from 'react-i18next';
import { afterEach, expect, test, vi } from 'vitest';
import { setDisplayZone } from '#web/format.ts';
import { WorkspacesTable } from '#web/pages/admin/workspaces-table.tsx';
import { ChangeDiff } from '#web/pages/timeline/change-diff.tsx';
import type { AdminWorkspace } from '#web/queries/admin.ts';
import { diffQuery, type SnapshotDiff } from '#web/queries/timeline.ts';

// Another file of this process may have loaded the client with a fetch of its own.
vi.hoisted(() => vi.resetModules());

afterEach(() => setDisplayZone('UTC'));

const i18n = i18next.createInstance();
await i18n.init({
  lng: 'en',
  keySeparator: false,
  nsSeparator: false,
  resources: {
    en: {
      translation: {
        'timeline.diff.before': 'Before, {{day}}',
        'timeline.diff.after': 'After, {{day}}',
      },
    },
  },
});

function render(content: ReactNode, client = new QueryClient()): string {
  const styled = createElement(MantineProvider, null, content);
  const translated = createElement(I18nextProvider, { i18n }, styled);
  return renderToStaticMarkup(createElement(QueryClientProvider, { client }, translated));
}

const diff = {
  a: { takenAt: '2026-11-19T07:59:59Z', country: 'jp' },
  b: { takenAt: '2026-11-20T15:00:00Z', country: 'jp' },
  fields: [{ field: 'name', before: 'A', after: 'B', ops: [{ op: 'same', text: 'A' }] }],
} as unknown as SnapshotDiff;
const workspace = {
  id: 1,
  name: 'Blue Otter',
  owners: [],
  state: 'live',
  planStatus: 'live',
  plan: null,
  usage: { apps: 0, keywordMarkets: 0, members: 0 },
  requestsToday: 0,
  createdAt: '2026-11-20T23:30:00Z',
  trialEndsAt: null,
  suspendedAt: null,
  suspendedReason: null,
  deleteAt: null,
  overLimitSince: null,
} as unknown as AdminWorkspace;

test.each([
  ['UTC', 'Nov 19', 'Nov 20'],
  ['Asia/Tokyo', 'Nov 19', 'Nov 21'],
  ['America/Los_Angeles', 'Nov 18', 'Nov 20'],
])('a changed listing has the days of the time zone of the page: %s', (zone, before, after) => {
  setDisplayZone(zone);
  const client = new QueryClient();
  client.setQueryData(diffQuery(1, 2, 3).queryKey, diff);
  const sides = render(createElement(ChangeDiff, { appId: 1, a: 2, b: 3 }), client);
  expect(/Before, (\w+ \d+)/.exec(sides)?.[1]).toBe(before);
  expect(/After, (\w+ \d+)/.exec(sides)?.[1]).toBe(after);
});

test.each([
  ['UTC', 'Nov 20, 2026'],
  ['Asia/Tokyo', 'Nov 21, 2026'],
  ['America/Los_Angeles', 'Nov 20, 2026'],
])('a workspace is created on a day of the time zone of the page: %s', (zone, created) => {
  setDisplayZone(zone);
  const table = createElement(WorkspacesTable, { workspaces: [workspace] });
  expect(render(table)).toContain(`>${created}</td>`);
});
