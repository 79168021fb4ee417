import { Link } from '@tanstack/react-router';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { PhraseScore } from '#web/queries/scores.ts';
import type { Market } from '#web/scope.ts';
import { ofRequest } from './row-score.ts';
import styles from './suggestions-page.module.css';
import { ScoreButton } from './score-button.tsx';
import { ScoreFigures } from './score-figures.tsx';

/** Scores a typed phrase. The result stays until the next one. */
export function ScorePhraseForm({
  appId,
  market,
  phrase,
}: {
  appId: number;
  market: Market;
  phrase: string;
}) {
  const { t } = useTranslation();
  const [score, setScore] = useState<PhraseScore | null>(null);
  return (
    <>
      <ScoreButton appId={appId} market={market} phrase={phrase} onScored={setScore} size="sm" />
      {score && (
        <div className={styles.scored}>
          <bdi className={styles.phrase}>{score.phrase}</bdi>
          <ScoreFigures score={ofRequest(score)} />
          {score.keywordId !== null && (
            <Link to="/keywords/$keywordId" params={{ keywordId: String(score.keywordId) }}>
              {t('suggestions.tracked')}
            </Link>
          )}
          <ScoreButton
            appId={appId}
            market={market}
            phrase={score.phrase}
            score={score}
            onScored={setScore}
          />
        </div>
      )}
    </>
  );
}
