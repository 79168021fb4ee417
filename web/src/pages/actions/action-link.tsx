import { Button } from '@mantine/core';
import { Link, type LinkProps } from '@tanstack/react-router';
import { ArrowRight } from 'lucide-react';
import { useTranslation } from 'react-i18next';
import type { Store } from '../../api.ts';
import type { Action } from '../../queries/actions.ts';
import { readNumber } from './evidence/read.ts';

type Place =
  | 'keyword'
  | 'results'
  | 'field'
  | 'discover'
  | 'timeline'
  | 'reviews'
  | 'keywords'
  | 'webhook'
  | 'runs';

const placeOf: Record<Action['type'], Place> = {
  'rank-drop': 'results',
  'striking-distance': 'keyword',
  'missing-keyword': 'field',
  'keyword-field-waste': 'field',
  'unused-title': 'discover',
  'competitor-entered': 'results',
  'competitor-changed': 'timeline',
  'keyword-gap': 'results',
  'review-theme': 'reviews',
  'rating-fell': 'reviews',
  'hopeless-keyword': 'keyword',
  'untracked-country': 'keywords',
  'webhook-failing': 'webhook',
  'store-check-failing': 'runs',
};

const pagesOfApp = {
  field: '/apps/$appId/keyword-field',
  discover: '/apps/$appId/discover',
  timeline: '/apps/$appId/timeline',
  reviews: '/apps/$appId/reviews',
  keywords: '/apps/$appId/keywords',
} as const;

function linkOf(action: Action, place: Place): LinkProps | null {
  const keywordId = action.keywordIds[0];
  if (place === 'runs') return { to: '/runs' };
  if (place === 'webhook')
    return {
      to: '/alerts',
      search: {
        tab: 'webhooks',
        webhook: readNumber(action.evidence, 'webhookId') ?? undefined,
      } as never,
    };
  if (place === 'keyword' || place === 'results') {
    if (keywordId === undefined) return null;
    const params = { keywordId: String(keywordId) };
    return place === 'keyword'
      ? { to: '/keywords/$keywordId', params }
      : { to: '/keywords/$keywordId/results', params };
  }
  return action.appId === null
    ? null
    : { to: pagesOfApp[place], params: { appId: String(action.appId) } };
}

/** The way to the page on which the action can be acted upon. */
export function ActionLink({ action, store }: { action: Action; store: Store | undefined }) {
  const { t } = useTranslation();
  // Android has no keyword field: its words stand in the listing's own texts.
  const place =
    placeOf[action.type] === 'field' && store === 'android' ? 'timeline' : placeOf[action.type];
  const link = linkOf(action, place);
  if (!link) return null;
  return (
    <Button
      variant="light"
      className="touch"
      rightSection={<ArrowRight size={15} aria-hidden />}
      renderRoot={(props: Record<string, unknown>) => <Link {...link} {...props} />}
    >
      {t(`actions.go.${place}`)}
    </Button>
  );
}
