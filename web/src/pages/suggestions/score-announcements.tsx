import { useMutationState, type MutationState } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import type { PhraseScore } from '#web/queries/scores.ts';
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
  const format = ({ phrase, traffic, difficulty, position, depth }: PhraseScore) =>
    t('suggestions.announcement', {
      phrase,
      traffic: traffic ?? t('score.notKnown'),
      difficulty: difficulty ?? t('score.notKnown'),
      position:
        position === null ? t('position.notFound', { depth }) : t('position.at', { position }),
    });
  return (
    <p className="sr-only" role="status">
      {running ? t('suggestions.scoringOf', { phrase: running.variables }) : done && format(done)}
    </p>
  );
}
