import { Button } from '@mantine/core';
import { notifications } from '@mantine/notifications';
import { describeError } from '../describe-error.ts';
import { i18next } from '../i18n.ts';
import { RefusalWords } from './refusal-words.tsx';

const closeButtonProps = () => ({ 'aria-label': i18next.t('common.close') });

export function showDone(message: string): void {
  notifications.show({
    message,
    color: 'teal',
    autoClose: 4_000,
    closeButtonProps: closeButtonProps(),
  });
}

const shownMs = 9_000;
const longestShownMs = 60_000;

/** For what the browser, not the API, did not do. */
export function showNotDone(message: string): void {
  notifications.show({
    message,
    color: 'red',
    autoClose: shownMs,
    closeButtonProps: closeButtonProps(),
  });
}

/** For a click that was refused: title, the API's own sentence, the remedy; a wait stays as long as it lasts, within a minute. */
export function showError(error: unknown): void {
  const { title, retryAfterSeconds } = describeError(error);
  notifications.show({
    title,
    message: <RefusalWords error={error} />,
    color: 'red',
    autoClose: Math.min(longestShownMs, Math.max(shownMs, ((retryAfterSeconds ?? 0) + 3) * 1_000)),
    closeButtonProps: closeButtonProps(),
  });
}

/** A change that can be taken back for some seconds. */
export function showUndo(message: string, undo: () => void): string {
  const id = crypto.randomUUID?.() ?? String(Math.random());
  notifications.show({
    id,
    autoClose: 8_000,
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
