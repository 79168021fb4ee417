import type { ActionType } from '#contract/actions.ts';
import type { Rule } from '../rule.ts';
import { competitorChanged } from './competitor-changed.ts';
import { competitorEntered } from './competitor-entered.ts';
import { hopelessKeyword } from './hopeless-keyword.ts';
import { keywordFieldWaste } from './keyword-field-waste.ts';
import { keywordGap } from './keyword-gap.ts';
import { missingKeyword } from './missing-keyword.ts';
import { rankDrop } from './rank-drop.ts';
import { ratingFell } from './rating-fell.ts';
import { reviewTheme } from './review-theme.ts';
import { storeCheckFailing } from './store-check-failing.ts';
import { strikingDistance } from './striking-distance.ts';
import { untrackedCountry } from './untracked-country.ts';
import { unusedTitle } from './unused-title.ts';
import { webhookFailing } from './webhook-failing.ts';

/** The rules in the order of the contract's types. */
export const rules: readonly Rule[] = [
  rankDrop,
  strikingDistance,
  missingKeyword,
  keywordFieldWaste,
  unusedTitle,
  competitorEntered,
  competitorChanged,
  keywordGap,
  reviewTheme,
  ratingFell,
  hopelessKeyword,
  untrackedCountry,
  webhookFailing,
  storeCheckFailing,
];

export const ruleOf = (type: ActionType): Rule => rules.find((rule) => rule.type === type)!;
