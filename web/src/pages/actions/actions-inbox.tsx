import { Button, Skeleton } from '@mantine/core';
import { useInfiniteQuery, useQuery, useQueryClient } from '@tanstack/react-query';
import { CheckCheck, Inbox } from 'lucide-react';
import { useEffect, useRef, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { profileOf } from '#stores/profiles.ts';
import type { App } from '#web/api.ts';
import { EmptyState } from '#web/components/empty-state.tsx';
import { ErrorNotice } from '#web/components/error-notice.tsx';
import { ShowMore } from '#web/components/show-more.tsx';
import { StaleNotice } from '#web/components/stale-notice.tsx';
import { actionPagesQuery, actionQuery, type ActionFilter } from '#web/queries/actions.ts';
import { useWriteAccess } from '#web/queries/write-guard.ts';
import { ActionDetail } from './action-detail.tsx';
import { ActionList, orderActions } from './action-list.tsx';
import { ActionsBulk } from './actions-bulk.tsx';
import styles from './actions-page.module.css';
import { isFocusLost } from './is-focus-lost.ts';
import { useActionKeys } from './use-action-keys.ts';
import {
  readMoves,
  useActionMoves,
  useMovedIds,
  type ActionMove,
  type MovedAction,
} from './use-action-moves.ts';

interface Props {
  filter: ActionFilter;
  chosen: number | undefined;
  /** The latest choice, which may not be rendered. */
  readChosen: () => number | undefined;
  apps: readonly App[];
  onChange: (next: Record<string, string | number | undefined>) => void;
}

const mostAtOnce = 200;

const findRow = (id: number | undefined) =>
  document.querySelector<HTMLElement>(`[data-action="${id}"]`);

function Nothing({ filter, onChange }: Pick<Props, 'filter' | 'onChange'>) {
  const { t } = useTranslation();
  const isFiltered = Boolean(filter.type || filter.severity || filter.appId);
  const kind = isFiltered ? 'filtered' : filter.status;
  return (
    <EmptyState
      icon={kind === 'open' ? CheckCheck : Inbox}
      title={t(`actions.empty.${kind}.title`)}
      text={t(`actions.empty.${kind}.text`)}
    >
      {isFiltered && (
        <Button
          variant="default"
          className="touch"
          onClick={() => onChange({ type: undefined, severity: undefined, app: undefined })}
        >
          {t('actions.reset')}
        </Button>
      )}
    </EmptyState>
  );
}

/** Mounted anew for each filter, because a selection belongs to one list. */
export function ActionsInbox({ filter, chosen, readChosen, apps, onChange }: Props) {
  const queryClient = useQueryClient();
  const { canWrite } = useWriteAccess();
  const moves = useActionMoves();
  const movedIds = useMovedIds();
  const [ticked, setTicked] = useState<ReadonlySet<number>>(new Set());
  const query = useInfiniteQuery(actionPagesQuery(filter));
  const isGrouped = filter.status === 'open' || filter.status === 'snoozed';
  const items = query.data?.pages.flatMap((page) => page.items) ?? [];
  const actions = orderActions(
    items.filter(({ id }) => !movedIds.has(id)),
    isGrouped,
  );
  // Others may have moved some of them since.
  const tickedIds = actions.flatMap(({ id }) => (ticked.has(id) ? [id] : []));
  const shown = chosen ?? actions[0]?.id;
  const choose = (id: number | undefined) => onChange({ action: id });
  // The list may not have the one that is shown beside it.
  const beside = useQuery({ ...actionQuery(shown ?? 0), enabled: false });
  const find = (id: number): MovedAction =>
    actions.find((action) => action.id === id) ??
    queryClient.getQueryData(actionQuery(id).queryKey) ?? { id, snoozedUntil: null };
  // Quick keys and presses follow before the choice or the move before them is rendered.
  const readLatest = () => {
    const moving = readMoves(queryClient);
    const left = actions.filter(({ id }) => !moving.has(id));
    const latest = readChosen();
    return { moving, actions: left, chosen: latest, shown: latest ?? left[0]?.id };
  };
  const move = (requested: readonly number[], change: ActionMove) => {
    const latest = readLatest();
    // A second press moves nothing. What another move has just done can be undone.
    const ids = requested.filter((id) => latest.moving.get(id) !== change.op);
    if (ids.length === 0) return;
    const index = latest.actions.findIndex(({ id }) => id === latest.shown);
    const next =
      latest.actions.slice(index + 1).find(({ id }) => !ids.includes(id)) ??
      latest.actions.findLast(({ id }) => !ids.includes(id));
    moves.mutate({ actions: ids.slice(0, mostAtOnce).map(find), move: change });
    setTicked(new Set());
    if (latest.chosen !== undefined && ids.includes(latest.chosen)) choose(next?.id);
  };
  const tick = (id: number) =>
    setTicked(
      (before) =>
        new Set(before.has(id) ? [...before].filter((other) => other !== id) : [...before, id]),
    );
  useActionKeys({
    readLatest,
    canWrite,
    state: (actions.find(({ id }) => id === shown) ?? beside.data)?.state,
    onChoose: choose,
    onMove: move,
  });
  const wasChosen = useRef(chosen);
  useEffect(() => {
    const row = findRow(chosen ?? wasChosen.current);
    wasChosen.current = chosen;
    if (chosen !== undefined) row?.scrollIntoView({ block: 'nearest' });
    else if (isFocusLost()) row?.focus();
  }, [chosen]);
  const readAgain = () => void query.refetch();
  if (query.error && !query.data) return <ErrorNotice error={query.error} onRetry={readAgain} />;
  const stale = query.error && (
    <StaleNotice error={query.error} readAtMs={query.dataUpdatedAt} onRetry={readAgain} />
  );
  if (query.data && actions.length === 0 && chosen === undefined)
    return (
      <>
        {stale}
        <Nothing filter={filter} onChange={onChange} />
      </>
    );
  return (
    <>
      {stale}
      <div
        className={styles.inbox}
        data-open={chosen !== undefined || undefined}
        data-print="column"
      >
        <div className={styles.list}>
          {query.isPending && <Skeleton height={560} radius={14} />}
          <ActionList
            actions={actions}
            isGrouped={isGrouped}
            chosenId={shown}
            ticked={ticked}
            appNames={
              new Map(
                apps.map((app) => [
                  app.id,
                  `${profileOf(app.store).name} · ${app.displayName ?? app.name}`,
                ]),
              )
            }
            onTick={tick}
          />
          <ShowMore query={query} align="wide" />
        </div>
        {shown !== undefined && (
          <ActionDetail
            id={shown}
            isOpen={chosen !== undefined}
            apps={apps}
            onMove={(change) => move([shown], change)}
            onBack={() => choose(undefined)}
          />
        )}
      </div>
      {tickedIds.length > 0 && (
        <ActionsBulk
          count={tickedIds.length}
          status={filter.status}
          canWrite={canWrite}
          onMove={(change) => move(tickedIds, change)}
          onClear={() => setTicked(new Set())}
        />
      )}
    </>
  );
}
