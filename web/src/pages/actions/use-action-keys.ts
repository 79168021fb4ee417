import { useTranslation } from 'react-i18next';
import { useKeys } from '#web/keys/use-keys.ts';
import type { Action } from '#web/queries/actions.ts';
import { snoozeUntil, type ActionMove } from './use-action-moves.ts';

interface Props {
  /** The list and the action that is shown, which may not be rendered. */
  readLatest: () => { actions: readonly Action[]; shown: number | undefined };
  canWrite: boolean;
  /** The state of the shown action, which the list may not have. */
  state: Action['state'] | undefined;
  onChoose: (id: number) => void;
  onMove: (ids: number[], move: ActionMove) => void;
}

/**
 * `j` and `k` move through the list, `e` marks as done, `s` snoozes until tomorrow, `o` reopens.
 */
export function useActionKeys({ readLatest, canWrite, state, onChoose, onMove }: Props): void {
  const { t } = useTranslation();
  const step = (by: 1 | -1) => {
    const { actions, shown } = readLatest();
    const index = actions.findIndex(({ id }) => id === shown);
    const next = actions[index < 0 ? 0 : index + by];
    if (!next) return;
    onChoose(next.id);
    document
      .querySelector<HTMLElement>(`[data-action="${next.id}"]`)
      ?.focus({ preventScroll: true });
  };
  const isLive = state === 'open' || state === 'snoozed';
  const move = (change: ActionMove) => {
    const { shown } = readLatest();
    if (shown !== undefined && canWrite) onMove([shown], change);
  };
  useKeys([
    { keys: 'j', label: t('actions.key.next'), group: 'rows', run: () => step(1) },
    { keys: 'k', label: t('actions.key.previous'), group: 'rows', run: () => step(-1) },
    ...(isLive
      ? ([
          {
            keys: 'e',
            label: t('actions.key.resolve'),
            group: 'page',
            run: () => move({ op: 'resolve' }),
          },
          {
            keys: 's',
            label: t('actions.key.snooze'),
            group: 'page',
            run: () => move({ op: 'snooze', until: snoozeUntil(1) }),
          },
        ] as const)
      : []),
    ...(state === undefined || state === 'open'
      ? []
      : ([
          {
            keys: 'o',
            label: t('actions.key.reopen'),
            group: 'page',
            run: () => move({ op: 'reopen' }),
          },
        ] as const)),
  ]);
}
