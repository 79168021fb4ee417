import type { TFunction } from 'i18next';
import type { Action } from '../../../queries/actions.ts';
import { tellPeople } from '../tell-people.ts';
import type { Tell } from '../telling.ts';
import {
  tellCompetitorEntered,
  tellHopelessKeyword,
  tellKeywordGap,
  tellMissingKeyword,
  tellRankDrop,
  tellStrikingDistance,
} from './keyword-reasons.ts';
import {
  tellCompetitorChanged,
  tellKeywordFieldWaste,
  tellUnusedTitle,
} from './listing-reasons.ts';
import {
  tellRatingFell,
  tellReviewTheme,
  tellStoreCheckFailing,
  tellUntrackedCountry,
  tellWebhookFailing,
} from './other-reasons.ts';

const reasons: Record<Action['type'], Tell> = {
  'rank-drop': tellRankDrop,
  'striking-distance': tellStrikingDistance,
  'missing-keyword': tellMissingKeyword,
  'keyword-field-waste': tellKeywordFieldWaste,
  'unused-title': tellUnusedTitle,
  'competitor-entered': tellCompetitorEntered,
  'competitor-changed': tellCompetitorChanged,
  'keyword-gap': tellKeywordGap,
  'review-theme': tellReviewTheme,
  'rating-fell': tellRatingFell,
  'hopeless-keyword': tellHopelessKeyword,
  'untracked-country': tellUntrackedCountry,
  'webhook-failing': tellWebhookFailing,
  'store-check-failing': tellStoreCheckFailing,
};

/** What happened and what can be done, in the language of the page; in the API's own words where the evidence is that of an older version. */
export function tellReason(
  { type, evidence, reason }: Pick<Action, 'type' | 'evidence' | 'reason'>,
  t: TFunction,
): string {
  return reasons[type](evidence, t) ?? tellPeople(reason);
}
