import type { TFunction } from 'i18next';
import type { Action } from '#web/queries/actions.ts';
import { stripApiReferences } from '../strip-api-references.ts';
import type { FormatFacts } from '../fact-formatters.ts';
import {
  formatCompetitorEntered,
  formatHopelessKeyword,
  formatKeywordGap,
  formatMissingKeyword,
  formatRankDrop,
  formatStrikingDistance,
} from './keyword-reasons.ts';
import {
  formatCompetitorChanged,
  formatKeywordFieldWaste,
  formatUnusedTitle,
} from './listing-reasons.ts';
import {
  formatRatingFell,
  formatReviewTheme,
  formatStoreCheckFailing,
  formatUntrackedCountry,
  formatWebhookFailing,
} from './other-reasons.ts';

const reasons: Record<Action['type'], FormatFacts> = {
  'rank-drop': formatRankDrop,
  'striking-distance': formatStrikingDistance,
  'missing-keyword': formatMissingKeyword,
  'keyword-field-waste': formatKeywordFieldWaste,
  'unused-title': formatUnusedTitle,
  'competitor-entered': formatCompetitorEntered,
  'competitor-changed': formatCompetitorChanged,
  'keyword-gap': formatKeywordGap,
  'review-theme': formatReviewTheme,
  'rating-fell': formatRatingFell,
  'hopeless-keyword': formatHopelessKeyword,
  'untracked-country': formatUntrackedCountry,
  'webhook-failing': formatWebhookFailing,
  'store-check-failing': formatStoreCheckFailing,
};

/**
 * The reason and next step of an action in the language of the page. Falls back to the wording of
 * the API if the evidence is from an older version.
 */
export function formatReason(
  { type, evidence, reason }: Pick<Action, 'type' | 'evidence' | 'reason'>,
  t: TFunction,
): string {
  return reasons[type](evidence, t) ?? stripApiReferences(reason);
}
