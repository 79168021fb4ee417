import { Button, Loader, Tooltip } from '@mantine/core';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { useCountdown } from '#web/components/use-countdown.ts';
import { formatWait } from '#web/components/format-wait.ts';
import { describeError } from '#web/describe-error.ts';
import type { PhraseScore } from '#web/queries/scores.ts';
import { useWriteAccess } from '#web/queries/write-guard.ts';
import type { Market } from '#web/scope.ts';
import { ScoreDialog } from './score-dialog.tsx';
import { useScorePhrase } from './use-score-phrase.ts';

/** Longer waits, such as until the next day, end in a new request that shows the reason. */
const watchedSeconds = 120;

interface Props {
  appId: number;
  market: Market;
  phrase: string;
  score?: PhraseScore | undefined;
  /** Its scores are shown, without their evidence. */
  isScored?: boolean;
  onScored?: (score: PhraseScore) => void;
  size?: 'compact-xs' | 'sm';
}

/**
 * Scores a phrase, then opens its evidence. It is always the same button, so that the focus stays.
 */
export function ScoreButton({
  appId,
  market,
  phrase,
  score,
  isScored = false,
  onScored,
  size = 'compact-xs',
}: Props) {
  const { t } = useTranslation();
  const { canWrite, reason } = useWriteAccess();
  const [isOpen, setIsOpen] = useState(false);
  const ask = useScorePhrase(appId, market, onScored);
  const left = useCountdown(
    ask.isError ? describeError(ask.error).retryAfterSeconds : null,
    ask.error,
  );
  const isWaiting = left > 0 && left <= watchedSeconds;
  const isScoreDisabled = !canWrite || ask.isPending || isWaiting || phrase === '';
  const isShown = score !== undefined && !ask.isPending;
  const label = () => {
    if (ask.isPending) return t(ask.isPaused ? 'suggestions.scoreQueued' : 'suggestions.scoring');
    if (score) return t('suggestions.madeOf');
    if (isWaiting) return formatWait(left, 'error.retryIn');
    return t(isScored ? 'suggestions.scoreAgain' : 'suggestions.score');
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
          data-disabled={(!isShown && isScoreDisabled) || undefined}
          aria-disabled={(!isShown && isScoreDisabled) || undefined}
          onClick={() => (isShown ? setIsOpen(true) : !isScoreDisabled && ask.mutate(phrase))}
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
            if (!isScoreDisabled) ask.mutate(phrase);
          }}
        />
      )}
    </>
  );
}
