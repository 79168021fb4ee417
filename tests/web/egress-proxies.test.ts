import './api.fixtures.ts';
import { MantineProvider } from '@mantine/core';
import { QueryClient, QueryClientProvider } from '@tanstack/react-query';
import i18next from 'i18next';
import { createElement } from 'react';
import { renderToStaticMarkup } from 'react-dom/server';
import { I18nextProvider } from 'react-i18next';
import { expect, test, vi } from 'vitest';
import { EgressProxiesCard } from '#web/pages/admin/egress-proxies-card.tsx';
import { egressProxiesQuery, type EgressProxy } from '#web/queries/admin.ts';

// Another file of this process may have loaded the client with a fetch of its own.
vi.hoisted(() => vi.resetModules());

const i18n = i18next.createInstance();
await i18n.init({ lng: 'en', keySeparator: false, resources: { en: { translation: {} } } });

const connection = { state: 'ok', consecutiveFailures: 0, unavailableUntil: null } as const;
const used = {
  store: 'ios',
  host: '',
  state: 'ok',
  slowFactor: 1,
  cooldownUntil: null,
  strikes: 0,
  granted: 12,
  refused: 0,
  lastRefusedAt: null,
  lastMarker: null,
};

test('a proxy without requests has a row of its own', () => {
  const client = new QueryClient();
  const items = [
    { endpoint: 'direct', connection, stores: [used, { ...used, store: 'android' }] },
    { endpoint: 'proxy.example.org:3128', connection, stores: [] },
  ] as unknown as EgressProxy[];
  client.setQueryData(egressProxiesQuery.queryKey, { items } as never);
  const card = createElement(MantineProvider, null, createElement(EgressProxiesCard));
  const translated = createElement(I18nextProvider, { i18n }, card);
  const html = renderToStaticMarkup(createElement(QueryClientProvider, { client }, translated));
  const body = html.split('<tbody>').at(1)!;
  expect(body.match(/<th scope="row">[^<]*/g)).toHaveLength(3);
  expect(body).toContain('<th scope="row">proxy.example.org:3128</th><td>admin.proxyOk</td>');
  expect(body).toMatch(/<td colSpan="5">–<\/td><\/tr><\/tbody>/i);
});
