import { Button, Modal } from '@mantine/core';
import { useTranslation } from 'react-i18next';
import { ScoreEvidence } from '../../components/score-evidence.tsx';
import { formatCountry } from '../../format.ts';
import type { PhraseScore } from '../../queries/scores.ts';
import styles from './discover-page.module.css';
import { ScoreFigures } from './score-figures.tsx';

interface Props {
  score: PhraseScore;
  onClose: () => void;
  onAgain: () => void;
}

/** What a phrase's scores are made of, and what of it did not come. */
export function ScoreDialog({ score, onClose, onAgain }: Props) {
  const { t } = useTranslation();
  const [missing] = score.unavailable;
  const title = t('discover.scoreTitle', {
    phrase: score.phrase,
    country: formatCountry(score.country),
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
              {t(`discover.noHints.${missing.reason}`)}
              {missing.retryAfterSeconds !== null &&
                ` ${t('discover.retry', { count: missing.retryAfterSeconds })}`}
            </p>
            {missing.retryAfterSeconds !== null && (
              <Button className="touch" variant="default" size="xs" onClick={onAgain}>
                {t('discover.scoreAgain')}
              </Button>
            )}
          </div>
        )}
        <ScoreFigures score={score} kinds={['position']} />
        <ScoreEvidence score={score} />
      </div>
    </Modal>
  );
}
