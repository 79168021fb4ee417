import { Button } from '@mantine/core';
import { notifications } from '@mantine/notifications';
import { describeError } from '../describe-error.ts';
import { i18next } from '../i18n.ts';
import { ErrorDetails } from './error-details.tsx';

const closeButtonProps = () => ({ 'aria-label': i18next.t('common.close') });

export function showSuccess(message: string): void {
  notifications.show({
    message,
    color: 'teal',
    autoClose: 4_000,
    closeButtonProps: closeButtonProps(),
  });
}

const shownMs = 9_000;
const undoMs = 20_000;
const maxShownMs = 60_000;

/** For failures of the browser instead of the API. */
export function showFailure(message: string): void {
  notifications.show({
    message,
    color: 'red',
    autoClose: shownMs,
    closeButtonProps: closeButtonProps(),
  });
}

/**
 * A toast for a failed click, with title, message and remedy. A toast with a wait stays until the
 * wait ends, up to a minute.
 */
export function showError(error: unknown): void {
  const { title, retryAfterSeconds } = describeError(error);
  notifications.show({
    title,
    message: <ErrorDetails error={error} />,
    color: 'red',
    autoClose: Math.min(maxShownMs, Math.max(shownMs, ((retryAfterSeconds ?? 0) + 3) * 1_000)),
    closeButtonProps: closeButtonProps(),
  });
}

/** A toast that offers to undo a change for twenty seconds. */
export function showUndo(message: string, undo: () => void): string {
  const id = crypto.randomUUID?.() ?? String(Math.random());
  notifications.show({
    id,
    autoClose: undoMs,
    color: 'indigo',
    closeButtonProps: closeButtonProps(),
    message: (
      <span className="toast-undo">
        {message}
        <Button
          size="compact-sm"
          variant="light"
          onClick={() => {
            notifications.hide(id);
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
