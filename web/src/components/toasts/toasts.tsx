import { Button } from '@mantine/core';
import { describeError } from '#web/describe-error.ts';
import { i18next } from '#web/i18n.ts';
import { ErrorDetails } from '../error-details.tsx';
import { hideToast, showToast } from './toast-store.ts';

const shownMs = 9_000;
const undoMs = 20_000;
const maxShownMs = 60_000;

export function showSuccess(message: string): void {
  showToast({ message, tone: 'success', closesAfterMs: 4_000 });
}

/** For failures of the browser instead of the API. */
export function showFailure(message: string): void {
  showToast({ message, tone: 'failure', closesAfterMs: shownMs });
}

/**
 * A toast for a failed click, with title, message and remedy. A toast with a wait stays until the
 * wait ends, up to a minute.
 */
export function showError(error: unknown): void {
  const { title, retryAfterSeconds } = describeError(error);
  showToast({
    title,
    message: <ErrorDetails error={error} />,
    tone: 'failure',
    closesAfterMs: Math.min(maxShownMs, Math.max(shownMs, ((retryAfterSeconds ?? 0) + 3) * 1_000)),
  });
}

/** A toast that offers to undo a change for twenty seconds. */
export function showUndo(message: string, undo: () => void): string {
  const id = showToast({
    tone: 'neutral',
    closesAfterMs: undoMs,
    message: (
      <span className="toast-undo">
        {message}
        <Button
          size="compact-sm"
          variant="light"
          onClick={() => {
            hideToast(id);
            undo();
          }}
        >
          {i18next.t('common.undo')}
        </Button>
      </span>
    ),
  });
  return id;
}
