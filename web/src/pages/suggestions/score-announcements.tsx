import { useMutationState, type MutationState } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import type { PhraseScore } from '#web/queries/scores.ts';
import { ofRequest } from './row-score.ts';
import { scorePhraseKey } from './use-score-phrase.ts';

type Asked = MutationState<PhraseScore, Error, string>;

/** Announces scoring progress and results to screen readers. */
export function ScoreAnnouncements() {
  const { t } = useTranslation();
  const asked = useMutationState({
    filters: { mutationKey: scorePhraseKey },
    select: ({ state }) => state as Asked,
  });
  const running = asked.find(({ status, isPaused }) => status === 'pending' && !isPaused);
  const done = asked.findLast(({ status }) => status === 'success')?.data;
  const formatScore = (score: PhraseScore, kind: 'traffic' | 'difficulty') => {
    const range = ofRequest(score)[`${kind}Range`];
    return range ? t('score.range', range) : (score[kind] ?? t('score.notKnown'));
  };
  const format = (score: PhraseScore) => {
    const { phrase, position, depth } = score;
    return t('suggestions.announcement', {
      phrase,
      traffic: formatScore(score, 'traffic'),
      difficulty: formatScore(score, 'difficulty'),
      position:
        position === null ? t('position.notFound', { depth }) : t('position.at', { position }),
    });
  };
  return (
    <p className="sr-only" role="status">
      {running ? t('suggestions.scoringOf', { phrase: running.variables }) : done && format(done)}
    </p>
  );
}
