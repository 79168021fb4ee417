import { useMutationState, type MutationState } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import type { PhraseScore } from '../../queries/scores.ts';
import { scorePhraseKey } from './use-score-phrase.ts';

type Asked = MutationState<PhraseScore, Error, string>;

/** For who listens: what the store is being asked about, and what came of it. */
export function ScoreNews() {
  const { t } = useTranslation();
  const asked = useMutationState({
    filters: { mutationKey: scorePhraseKey },
    select: ({ state }) => state as Asked,
  });
  const running = asked.find(({ status, isPaused }) => status === 'pending' && !isPaused);
  const done = asked.findLast(({ status }) => status === 'success')?.data;
  const tell = ({ phrase, traffic, difficulty, position, depth }: PhraseScore) =>
    t('discover.told', {
      phrase,
      traffic: traffic ?? t('score.notKnown'),
      difficulty: difficulty ?? t('score.notKnown'),
      position:
        position === null ? t('position.notFound', { depth }) : t('position.at', { position }),
    });
  return (
    <p className="sr-only" role="status">
      {running ? t('discover.scoringOf', { phrase: running.variables }) : done && tell(done)}
    </p>
  );
}
