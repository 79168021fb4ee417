import './api.fixtures.ts';
import { QueryClient, QueryClientProvider } from '@tanstack/react-query';
import i18next from 'i18next';
import { createElement, type ReactElement } from 'react';
import { renderToString } from 'react-dom/server';
import { I18nextProvider } from 'react-i18next';
import { afterEach, expect, test, vi } from 'vitest';
import { hideToast, readToasts } from '#web/components/toasts/toast-store.ts';
import { useCompetitorMutations } from '#web/pages/competitors/use-competitor-mutations.ts';
import type { Competitor } from '#web/queries/competitors.ts';
import { Refusal, stubApi } from './api.fixtures.ts';

// Another file of this process may have loaded the client with a fetch of its own.
vi.hoisted(() => vi.resetModules());

const i18n = i18next.createInstance();
await i18n.init({ lng: 'en', resources: { en: { translation: {} } } });
afterEach(() => readToasts().forEach(({ id }) => hideToast(id)));

/** The mutations of a page that was left: it drew them once, and hears of them no more. */
function leavePage(options?: Parameters<typeof useCompetitorMutations>[1]) {
  const drawn: Mutations[] = [];
  const client = new QueryClient();
  const page = createElement(Page, { options, onDrawn: (mutations) => void drawn.push(mutations) });
  const translated = createElement(I18nextProvider, { i18n }, page);
  renderToString(createElement(QueryClientProvider, { client }, translated));
  return { client, ...drawn.at(0)! };
}

type Mutations = ReturnType<typeof useCompetitorMutations>;

function Page(props: {
  options: Parameters<typeof useCompetitorMutations>[1];
  onDrawn: (mutations: Mutations) => void;
}) {
  props.onDrawn(useCompetitorMutations(1, props.options));
  return null;
}

const tones = () => readToasts().map(({ tone }) => tone);
/** Presses the button of the only toast. */
function undo() {
  const { children } = (readToasts().at(0)!.message as ReactElement<{ children: ReactElement[] }>)
    .props;
  (children[1] as ReactElement<{ onClick: () => void }>).props.onClick();
}

test('a refused undo of a removed competitor is shown after the page was left', async () => {
  stubApi((method, path) => (method === 'DELETE' ? {} : new Refusal(409, path)));
  const { remove } = leavePage();
  await remove.mutateAsync({ id: 3, name: 'Streaky', storeAppId: '33' } as Competitor);
  expect(tones()).toEqual(['neutral']);
  undo();
  await vi.waitFor(() => expect(tones()).toEqual(['failure']));
});

test('a refused competitor is shown after the page was left, but for the dialog', async () => {
  stubApi((_method, path) => new Refusal(409, path));
  const add = async (options?: Parameters<typeof useCompetitorMutations>[1]) => {
    const { client, add: added } = leavePage(options);
    added.mutate({ storeAppId: '33' });
    await vi.waitFor(() => expect(client.isMutating()).toBe(0));
  };
  await add({ showsAddError: true });
  expect(tones()).toEqual([]);
  await add();
  expect(tones()).toEqual(['failure']);
});
