import {
  useMutation,
  useMutationState,
  useQueryClient,
  type InfiniteData,
  type MutationState,
  type QueryClient,
} from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import { call, type ResponseOf } from '#web/api.ts';
import { showSuccess, showError, showUndo } from '#web/components/toasts/toasts.tsx';
import { actionsKey, type Action } from '#web/queries/actions.ts';

type Pages = InfiniteData<ResponseOf<'GET /actions'>>;
export type ActionMove =
  | { op: 'resolve' }
  | { op: 'dismiss'; reason?: string | undefined }
  | { op: 'snooze'; until: string }
  | { op: 'reopen' };

/** An action before its move, as an undo restores it. */
export type MovedAction = Pick<Action, 'id' | 'snoozedUntil'>;

const doneKeys = {
  resolve: 'actions.done.resolve',
  dismiss: 'actions.done.dismiss',
  snooze: 'actions.done.snooze',
} as const;

interface Moves {
  actions: readonly MovedAction[];
  move: ActionMove;
}

const movesKey = [...actionsKey, 'move'];
const pendingMoves = { mutationKey: movesKey, status: 'pending' } as const;
const movesOf = ({ variables }: Pick<MutationState, 'variables'>) => variables as Moves;

/**
 * The actions whose moves are being sent. A list that leaves them out needs no rollback: a failed
 * move shows them again, and a response from before the move does not.
 */
export function useMovedIds(): ReadonlySet<number> {
  const moved = useMutationState({
    filters: pendingMoves,
    select: ({ state }) => idsOf(movesOf(state).actions),
  });
  return new Set(moved.flat());
}

/** The same for event handlers, before the latest move is rendered: the moves by action. */
export function readMoves(queryClient: QueryClient): ReadonlyMap<number, ActionMove['op']> {
  const pending = queryClient.getMutationCache().findAll(pendingMoves);
  return new Map(
    pending.flatMap(({ state }) => {
      const { actions, move } = movesOf(state);
      return actions.map(({ id }): [number, ActionMove['op']] => [id, move.op]);
    }),
  );
}

/** Updates the status of actions, with an undo toast. */
export function useActionMoves() {
  const { t } = useTranslation();
  const queryClient = useQueryClient();
  const refresh = () => queryClient.invalidateQueries({ queryKey: actionsKey });
  const send = (ids: number[], move: ActionMove) =>
    call('POST /actions/bulk', { body: { ids, ...move } });
  const takeBack = async (actions: readonly MovedAction[]) => {
    try {
      // Only an open action can be snoozed.
      await send(idsOf(actions), { op: 'reopen' });
      for (const [until, snoozed] of groupByWakeDate(actions))
        await send(idsOf(snoozed), { op: 'snooze', until });
    } catch (error) {
      showError(error);
    }
    await refresh();
  };
  const hide = (ids: number[]) =>
    queryClient.setQueriesData<Pages>(
      { queryKey: [...actionsKey, 'list'] },
      (before) =>
        before && {
          ...before,
          pages: before.pages.map((page) => ({
            ...page,
            items: page.items.filter(({ id }) => !ids.includes(id)),
          })),
        },
    );
  return useMutation({
    mutationKey: movesKey,
    mutationFn: ({ actions, move }: Moves) => send(idsOf(actions), move),
    onSuccess(_response, { actions, move }) {
      const count = actions.length;
      hide(idsOf(actions));
      if (move.op === 'reopen') showSuccess(t('actions.done.reopen', { count }));
      else showUndo(t(doneKeys[move.op], { count }), () => void takeBack(actions));
      // The actions stay hidden until the lists are read again.
      return refresh();
    },
    onError(error) {
      showError(error);
      void refresh();
    },
  });
}

const idsOf = (actions: readonly MovedAction[]) => actions.map(({ id }) => id);

/** Without those that would have reopened by now. */
function groupByWakeDate(actions: readonly MovedAction[]): Map<string, MovedAction[]> {
  const asleep = actions.filter(
    ({ snoozedUntil }) => snoozedUntil !== null && Date.parse(snoozedUntil) > Date.now(),
  );
  return Map.groupBy(asleep, ({ snoozedUntil }) => snoozedUntil!);
}

const dayMs = 86_400_000;
/** After the nightly checks, so that a snoozed action returns with current data. */
const wakesAtHour = 6;

/** 06:00 UTC in this number of days. */
export function snoozeUntil(days: number, nowMs = Date.now()): string {
  return new Date(Math.floor(nowMs / dayMs + days) * dayMs + wakesAtHour * 3_600_000).toISOString();
}
