import { Link } from '@tanstack/react-router';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { PhraseScore } from '../../queries/scores.ts';
import styles from './discover-page.module.css';
import { ScoreButton } from './score-button.tsx';
import { ScoreFigures } from './score-figures.tsx';

/** Scores what somebody has typed, as it stands; what came of it stays until the next. */
export function ScoreTyped({
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
              {t('discover.tracked')}
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
