import { Button, Modal } from '@mantine/core';
import { useTranslation } from 'react-i18next';
import { PublishedFacts } from '#web/components/published-facts.tsx';
import { ScoreEvidence } from '#web/components/score-evidence.tsx';
import { useFocusReturn } from '#web/use-focus-return.ts';
import { formatMarket } from '#web/format.ts';
import type { PhraseScore } from '#web/queries/scores.ts';
import { ofRequest } from './row-score.ts';
import styles from './suggestions-page.module.css';
import { ScoreFigures } from './score-figures.tsx';

interface Props {
  score: PhraseScore;
  onClose: () => void;
  onAgain: () => void;
}

/** The evidence of the scores of a phrase, and what is missing. */
export function ScoreDialog({ score, onClose, onAgain }: Props) {
  const { t } = useTranslation();
  useFocusReturn();
  const [missing] = score.unavailable;
  const title = t('suggestions.scoreTitle', {
    phrase: score.phrase,
    country: formatMarket(score),
  });
  return (
    <Modal
      opened
      onClose={onClose}
      size={680}
      title={title}
      closeButtonProps={{ 'aria-label': t('common.close') }}
    >
      <div className="stack">
        {missing && (
          <div className={styles.missing}>
            <p>
              {t(`suggestions.noHints.${missing.reason}`)}
              {missing.retryAfterSeconds !== null &&
                ` ${t('suggestions.retry', { count: missing.retryAfterSeconds })}`}
            </p>
            {missing.retryAfterSeconds !== null && (
              <Button className="touch" variant="default" size="xs" onClick={onAgain}>
                {t('suggestions.scoreAgain')}
              </Button>
            )}
          </div>
        )}
        <ScoreFigures score={ofRequest(score)} kinds={['position']} />
        <PublishedFacts published={score.published} country={score.country} />
        <ScoreEvidence score={score} />
      </div>
    </Modal>
  );
}
