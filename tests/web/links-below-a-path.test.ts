import {
  createMemoryHistory,
  createRootRoute,
  createRouter,
  RouterProvider,
} from '@tanstack/react-router';
import { createElement, type MouseEvent, type ReactNode } from 'react';
import { renderToStaticMarkup } from 'react-dom/server';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import type { ErrorEnvelope } from '#contract/errors.ts';
import type { ApiError } from '#client/http.ts';
import type { KeywordLinks } from '#web/pages/keywords/use-keyword-links.ts';

/** PUBLIC_URL=https://example.org/aso2 */
const basePath = '/aso2';

let useKeywordLinks: () => KeywordLinks;
let ErrorDetails: (props: { error: unknown }) => ReactNode;
let RequestError: typeof ApiError;
beforeAll(async () => {
  vi.stubGlobal('addEventListener', () => {});
  vi.stubGlobal('document', { documentElement: { dataset: { basePath } } });
  vi.stubGlobal('location', { origin: 'https://example.org' });
  vi.resetModules();
  ({ useKeywordLinks } = await import('#web/pages/keywords/use-keyword-links.ts'));
  ({ ErrorDetails } = await import('#web/components/error-details.tsx'));
  ({ ApiError: RequestError } = await import('#client/http.ts'));
  vi.unstubAllGlobals();
});
afterAll(() => void vi.resetModules());

test('links of keywords have the base path, and open the keyword', async () => {
  const rendered: KeywordLinks[] = [];
  const Page = () => {
    rendered.push(useKeywordLinks());
    return null;
  };
  const router = createRouter({
    routeTree: createRootRoute({ component: Page }),
    history: createMemoryHistory({ initialEntries: [`${basePath}/?days=7`] }),
    basepath: basePath,
    isServer: true,
  });
  await router.load();
  renderToStaticMarkup(createElement(RouterProvider, { router }));
  const links = rendered.at(0)!;
  const href = links.hrefOf(305);
  expect(href).toMatch(/^\/aso2\/keywords\/305\?/);

  const navigate = vi.spyOn(router, 'navigate').mockResolvedValue();
  const currentTarget = { pathname: new URL(href, 'https://example.org').pathname };
  links.open({ currentTarget, preventDefault() {} } as MouseEvent<HTMLAnchorElement>);
  expect(navigate.mock.lastCall![0]).toMatchObject({ params: { keywordId: '305' } });
});

test('the link to larger plans has the base path', () => {
  const envelope: ErrorEnvelope = {
    statusCode: 402,
    error: 'Payment Required',
    message: 'The plan allows 100 keywords.',
    code: 'quota_keyword_markets',
    path: '/apps/1/keywords',
    timestamp: '2026-11-21T10:00:00Z',
    entitlement: { upgradePath: '/settings/billing' } as ErrorEnvelope['entitlement'],
  };
  const html = renderToStaticMarkup(
    createElement(ErrorDetails, { error: new RequestError(envelope) }),
  );
  expect(html).toContain('href="/aso2/settings/billing"');
});
