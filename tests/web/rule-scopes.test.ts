import './api.fixtures.ts';
import { MantineProvider } from '@mantine/core';
import { QueryClient, QueryClientProvider } from '@tanstack/react-query';
import i18next from 'i18next';
import { createElement } from 'react';
import { renderToStaticMarkup } from 'react-dom/server';
import { I18nextProvider } from 'react-i18next';
import { expect, test, vi } from 'vitest';
import { ScopeFields } from '#web/pages/alerts/rules/scope-fields.tsx';
import type { Scoped } from '#web/pages/alerts/rules/rule-draft.ts';
import { tagsQuery } from '#web/queries/alerts.ts';
import { appsQuery } from '#web/queries/apps.ts';

// Another file of this process may have loaded the client with a fetch of its own.
vi.hoisted(() => vi.resetModules());

const i18n = i18next.createInstance();
await i18n.init({ lng: 'en', keySeparator: false, resources: { en: { translation: {} } } });

function draw(appIds: number[], nextCursor: string | null = null): string {
  const client = new QueryClient();
  const items = [{ id: 7, name: 'Habit', store: 'ios' }];
  client.setQueryData(appsQuery.queryKey, { items, nextCursor, total: 1 } as never);
  client.setQueryData(tagsQuery.queryKey, { items: [], nextCursor: null, total: 0 });
  const rule = { event: 'metadata.changed', enabled: true, scope: { appIds } } as Scoped;
  const fields = createElement(ScopeFields, { rule, onChange: () => undefined });
  const translated = createElement(
    I18nextProvider,
    { i18n },
    createElement(MantineProvider, null, fields),
  );
  return renderToStaticMarkup(createElement(QueryClientProvider, { client }, translated));
}

test('a rule shows an app that is gone, and what follows from its removal', () => {
  // An import gives all apps that it lacks the same id.
  const html = draw([7, 2_147_483_647, 2_147_483_647]);
  expect(html).toContain('Habit · iOS');
  expect(html.match(/>rules\.goneApp</g)).toHaveLength(1);
  expect(html).toContain('rules.goneAppHint');
  expect(html).not.toContain('>2147483647<');
});

test('an app is not called gone when the rule has none, or when more apps follow', () => {
  expect(draw([7])).not.toContain('rules.goneApp');
  expect(draw([7, 8], 'more')).not.toContain('rules.goneApp');
});
