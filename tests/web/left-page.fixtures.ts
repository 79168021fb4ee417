import './api.fixtures.ts';
import { QueryClient, QueryClientProvider } from '@tanstack/react-query';
import i18next from 'i18next';
import { createElement, type ReactElement } from 'react';
import { renderToString } from 'react-dom/server';
import { I18nextProvider } from 'react-i18next';
import { readToasts } from '#web/components/toasts/toast-store.ts';

const i18n = i18next.createInstance();
await i18n.init({ lng: 'en', resources: { en: { translation: {} } } });

/** The mutations of a page that was left: it drew them once, and hears of them no more. */
export function leavePage<Mutations extends object>(
  useMutations: () => Mutations,
  client = new QueryClient(),
) {
  const drawn: Mutations[] = [];
  const Page = () => {
    drawn.push(useMutations());
    return null;
  };
  const translated = createElement(I18nextProvider, { i18n }, createElement(Page));
  renderToString(createElement(QueryClientProvider, { client }, translated));
  return { client, ...drawn.at(0)! };
}

export const listTones = () => readToasts().map(({ tone }) => tone);

/** Presses the button of the only toast. */
export function undo(): void {
  const { children } = (readToasts().at(0)!.message as ReactElement<{ children: ReactElement[] }>)
    .props;
  (children[1] as ReactElement<{ onClick: () => void }>).props.onClick();
}
