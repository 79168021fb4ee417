import { Button } from '@mantine/core';
import { Link, type LinkProps } from '@tanstack/react-router';
import { ArrowRight } from 'lucide-react';
import { useTranslation } from 'react-i18next';
import { profileOf } from '#stores/profiles.ts';
import type { Store } from '#web/api.ts';
import type { Action } from '#web/queries/actions.ts';
import { readNumber } from './evidence/parse-facts.ts';

type Target =
  | 'keyword'
  | 'serp'
  | 'keywordField'
  | 'suggestions'
  | 'timeline'
  | 'reviews'
  | 'keywords'
  | 'webhook'
  | 'runs';

const targetOf: Record<Action['type'], Target> = {
  'rank-drop': 'serp',
  'striking-distance': 'keyword',
  'missing-keyword': 'keywordField',
  'keyword-field-waste': 'keywordField',
  'unused-title': 'suggestions',
  'competitor-entered': 'serp',
  'competitor-changed': 'timeline',
  'keyword-gap': 'serp',
  'review-theme': 'reviews',
  'rating-fell': 'reviews',
  'hopeless-keyword': 'keyword',
  'untracked-country': 'keywords',
  'webhook-failing': 'webhook',
  'store-check-failing': 'runs',
};

const pagesOfApp = {
  keywordField: '/apps/$appId/keyword-field',
  suggestions: '/apps/$appId/suggestions',
  timeline: '/apps/$appId/timeline',
  reviews: '/apps/$appId/reviews',
  keywords: '/apps/$appId/keywords',
} as const;

function linkOf(action: Action, target: Target): LinkProps | null {
  const keywordId = action.keywordIds[0];
  if (target === 'runs') return { to: '/runs' };
  if (target === 'webhook')
    return {
      to: '/alerts',
      search: {
        tab: 'webhooks',
        webhook: readNumber(action.evidence, 'webhookId') ?? undefined,
      } as never,
    };
  if (target === 'keyword' || target === 'serp') {
    if (keywordId === undefined) return null;
    const params = { keywordId: String(keywordId) };
    return target === 'keyword'
      ? { to: '/keywords/$keywordId', params }
      : { to: '/keywords/$keywordId/serp', params };
  }
  return action.appId === null
    ? null
    : { to: pagesOfApp[target], params: { appId: String(action.appId) } };
}

/** Links to the page on which the action can be carried out. */
export function ActionLink({ action, store }: { action: Action; store: Store | undefined }) {
  const { t } = useTranslation();
  // Without a keyword field, the words are in the listing, whose changes are on the timeline.
  const hasField = store === undefined || profileOf(store).texts.keywordField !== null;
  const target =
    targetOf[action.type] === 'keywordField' && !hasField ? 'timeline' : targetOf[action.type];
  const link = linkOf(action, target);
  if (!link) return null;
  return (
    <Button
      variant="light"
      className="touch"
      rightSection={<ArrowRight size={15} aria-hidden />}
      renderRoot={(props: Record<string, unknown>) => <Link {...link} {...props} />}
    >
      {t(`actions.go.${target}`)}
    </Button>
  );
}
