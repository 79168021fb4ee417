import { Button } from '@mantine/core';
import { notifications } from '@mantine/notifications';
import { describeError } from '../describe-error.ts';
import { i18next } from '../i18n.ts';

const closeButtonProps = () => ({ 'aria-label': i18next.t('common.close') });

export function showDone(message: string): void {
  notifications.show({ message, color: 'teal', autoClose: 4_000, closeButtonProps: closeButtonProps() });
}

/** For a click that was refused: title, the API's own sentence, the remedy. */
export function showError(error: unknown): void {
  const { title, message, remedy } = describeError(error);
  notifications.show({
    title,
    message: [message, remedy].filter((part) => part && part !== title).join(' '),
    color: 'red',
    autoClose: 9_000,
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
