import type { ComponentType } from 'react';
import type { Action } from '#web/queries/actions.ts';
import styles from './evidence.module.css';
import {
  CompetitorEnteredEvidence,
  HopelessKeywordEvidence,
  KeywordGapEvidence,
  MissingKeywordEvidence,
  RankDropEvidence,
  StrikingDistanceEvidence,
} from './keyword-evidence.tsx';
import {
  CompetitorChangedEvidence,
  KeywordFieldEvidence,
  UnusedTitleEvidence,
} from './listing-evidence.tsx';
import {
  RatingFellEvidence,
  ReviewThemeEvidence,
  StoreCheckEvidence,
  UntrackedCountryEvidence,
  WebhookFailingEvidence,
} from './other-evidence.tsx';
import type { Facts } from './parse-facts.ts';

const drawingOf: Record<Action['type'], ComponentType<{ facts: Facts }>> = {
  'rank-drop': RankDropEvidence,
  'striking-distance': StrikingDistanceEvidence,
  'missing-keyword': MissingKeywordEvidence,
  'keyword-field-waste': KeywordFieldEvidence,
  'unused-title': UnusedTitleEvidence,
  'competitor-entered': CompetitorEnteredEvidence,
  'competitor-changed': CompetitorChangedEvidence,
  'keyword-gap': KeywordGapEvidence,
  'review-theme': ReviewThemeEvidence,
  'rating-fell': RatingFellEvidence,
  'hopeless-keyword': HopelessKeywordEvidence,
  'untracked-country': UntrackedCountryEvidence,
  'webhook-failing': WebhookFailingEvidence,
  'store-check-failing': StoreCheckEvidence,
};

/** The stored evidence of an action, with a view for each type. */
export function Evidence({ action }: { action: Pick<Action, 'type' | 'evidence'> }) {
  const Drawing = drawingOf[action.type];
  return (
    <div className={styles.stack}>
      <Drawing facts={action.evidence} />
    </div>
  );
}
