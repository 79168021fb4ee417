import { Button } from '@mantine/core';
import { describeError } from '#web/describe-error.ts';
import { i18next } from '#web/i18n.ts';
import { ErrorDetails } from '../error-details.tsx';
import { hideToast, showToast } from './toast-store.ts';

const undoMs = 20_000;

export function showSuccess(message: string): void {
  showToast({ message, tone: 'success', closesAfterMs: 4_000 });
}

/** For failures of the browser instead of the API. Stays until it is closed. */
export function showFailure(message: string): void {
  showToast({ id: `failure ${message}`, message, tone: 'failure', closesAfterMs: null });
}

/**
 * A toast for a failed click, with title, message and remedy. It stays until it is closed, and the
 * same failure again replaces it.
 */
export function showError(error: unknown): void {
  const { title, message, remedy } = describeError(error);
  showToast({
    id: `failure ${title} ${message} ${remedy}`,
    title,
    message: <ErrorDetails error={error} />,
    tone: 'failure',
    closesAfterMs: null,
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
