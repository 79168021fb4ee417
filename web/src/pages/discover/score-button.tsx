import { Button, Loader, Tooltip } from '@mantine/core';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { useCountdown } from '../../components/use-countdown.ts';
import { sayWait } from '../../components/wait-words.ts';
import { describeError } from '../../describe-error.ts';
import type { PhraseScore } from '../../queries/scores.ts';
import { useWriteGuard } from '../../queries/write-guard.ts';
import { ScoreDialog } from './score-dialog.tsx';
import { useScorePhrase } from './use-score-phrase.ts';

/** A wait that somebody would sit through; after a longer one, as for the next day's scores, the reason is told anew. */
const watchedSeconds = 120;

interface Props {
  appId: number;
  country: string;
  phrase: string;
  score?: PhraseScore | undefined;
  onScored?: (score: PhraseScore) => void;
  size?: 'compact-xs' | 'sm';
}

/** Scores a phrase; once it is scored, shows what that was made of. One button all along, so that the focus stays where it is. */
export function ScoreButton({
  appId,
  country,
  phrase,
  score,
  onScored,
  size = 'compact-xs',
}: Props) {
  const { t } = useTranslation();
  const { canWrite, reason } = useWriteGuard();
  const [isOpen, setIsOpen] = useState(false);
  const ask = useScorePhrase(appId, country, onScored);
  const left = useCountdown(
    ask.isError ? describeError(ask.error).retryAfterSeconds : null,
    ask.error,
  );
  const isWaiting = left > 0 && left <= watchedSeconds;
  const cannotAsk = !canWrite || ask.isPending || isWaiting || phrase === '';
  const isShown = score !== undefined && !ask.isPending;
  const label = () => {
    if (ask.isPending) return t(ask.isPaused ? 'discover.scoreWaits' : 'discover.scoring');
    if (score) return t('discover.madeOf');
    return isWaiting ? sayWait(left, 'error.retryIn') : t('discover.score');
  };
  return (
    <>
      <Tooltip label={reason} disabled={isShown || canWrite}>
        <Button
          className="touch"
          variant={isShown ? 'subtle' : 'default'}
          size={size}
          leftSection={
            ask.isPending && !ask.isPaused ? <Loader size={12} aria-hidden /> : undefined
          }
          data-disabled={(!isShown && cannotAsk) || undefined}
          aria-disabled={(!isShown && cannotAsk) || undefined}
          onClick={() => (isShown ? setIsOpen(true) : !cannotAsk && ask.mutate(phrase))}
        >
          {label()}
          <span className="sr-only"> {phrase}</span>
        </Button>
      </Tooltip>
      {isOpen && score && (
        <ScoreDialog
          score={score}
          onClose={() => setIsOpen(false)}
          onAgain={() => {
            setIsOpen(false);
            if (!cannotAsk) ask.mutate(phrase);
          }}
        />
      )}
    </>
  );
}
