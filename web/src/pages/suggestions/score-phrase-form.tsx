import { Link } from '@tanstack/react-router';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { PhraseScore } from '#web/queries/scores.ts';
import styles from './suggestions-page.module.css';
import { ScoreButton } from './score-button.tsx';
import { ScoreFigures } from './score-figures.tsx';

/** Scores a typed phrase. The result stays until the next one. */
export function ScorePhraseForm({
  appId,
  country,
  phrase,
}: {
  appId: number;
  country: string;
  phrase: string;
}) {
  const { t } = useTranslation();
  const [score, setScore] = useState<PhraseScore | null>(null);
  return (
    <>
      <ScoreButton appId={appId} country={country} phrase={phrase} onScored={setScore} size="sm" />
      {score && (
        <div className={styles.scored}>
          <bdi className={styles.phrase}>{score.phrase}</bdi>
          <ScoreFigures score={score} />
          {score.keywordId !== null && (
            <Link to="/keywords/$keywordId" params={{ keywordId: String(score.keywordId) }}>
              {t('suggestions.tracked')}
            </Link>
          )}
          <ScoreButton
            appId={appId}
            country={country}
            phrase={score.phrase}
            score={score}
            onScored={setScore}
          />
        </div>
      )}
    </>
  );
}
