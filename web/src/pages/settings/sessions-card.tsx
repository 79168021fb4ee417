import { Badge, Button } from '@mantine/core';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import { call, type ResponseOf } from '#web/api.ts';
import { Ago } from '#web/components/ago.tsx';
import { Card } from '#web/components/card.tsx';
import { Loaded } from '#web/components/loaded.tsx';
import { showSuccess, showError } from '#web/components/toasts/toasts.tsx';
import { deleteIfThere } from '#web/delete-if-there.ts';
import { sessionsQuery } from '#web/queries/session.ts';
import { useCredentialAccess } from '#web/queries/write-guard.ts';
import styles from './settings-page.module.css';

type SessionRow = ResponseOf<'GET /auth/sessions'>['items'][number];
const browsers = [
  ['Firefox', /Firefox\//],
  ['Edge', /Edg\//],
  ['Opera', /OPR\//],
  ['Chrome', /Chrome\//],
  ['Safari', /Safari\//],
] as const;
const systems = [
  ['iPhone', /iPhone/],
  ['iPad', /iPad/],
  ['Android', /Android/],
  ['Windows', /Windows/],
  ['macOS', /Mac OS X/],
  ['Linux', /Linux/],
] as const;

/** `Chrome · macOS`, or the user agent itself. */
function describeAgent(agent: string | null): string | null {
  if (!agent) return null;
  const named = [browsers, systems]
    .map((list) => list.find(([, shape]) => shape.test(agent))?.[0])
    .filter(Boolean);
  return named.length > 0 ? named.join(' · ') : agent.slice(0, 60);
}

/** Stays busy until the list is without the session: a second press would not find it. */
function EndButton({ id }: { id: SessionRow['id'] }) {
  const { t } = useTranslation();
  const queryClient = useQueryClient();
  const { canWrite, reason } = useCredentialAccess();
  const end = useMutation({
    mutationFn: () => deleteIfThere(call('DELETE /auth/sessions/{id}', { params: { id } })),
    onError: showError,
    // A session that was replaced meanwhile is gone: the list has its successor.
    onSettled: () => queryClient.invalidateQueries({ queryKey: sessionsQuery.queryKey }),
  });
  return (
    <Button
      size="xs"
      variant="default"
      loading={end.isPending}
      onClick={() => end.mutate()}
      disabled={!canWrite}
      title={reason}
    >
      {t('sessions.end')}
    </Button>
  );
}

export function SessionsCard() {
  const { t } = useTranslation();
  const queryClient = useQueryClient();
  const query = useQuery(sessionsQuery);
  const { canWrite, reason } = useCredentialAccess();
  const guard = { disabled: !canWrite, title: reason };
  const endOthers = useMutation({
    mutationFn: () => call('DELETE /auth/sessions'),
    onSuccess: ({ revoked }) => showSuccess(t('sessions.ended', { count: revoked })),
    onError: showError,
    onSettled: () => queryClient.invalidateQueries({ queryKey: sessionsQuery.queryKey }),
  });
  const others = query.data?.items.filter((row) => !row.current) ?? [];
  return (
    <Card
      title={t('sessions.title')}
      lead={t('sessions.lead')}
      action={
        others.length > 1 && (
          <Button
            size="xs"
            variant="default"
            className="touch"
            loading={endOthers.isPending}
            onClick={() => endOthers.mutate()}
            {...guard}
          >
            {t('sessions.endOthers')}
          </Button>
        )
      }
    >
      <Loaded query={query} height={60}>
        {({ items }) => (
          <ul className={styles.rows}>
            {items.map((row) => (
              <li key={row.id}>
                <span className={styles.grow}>
                  <span className={styles.name}>
                    {describeAgent(row.userAgent) ?? t('sessions.unknown')}
                    {row.current && (
                      <Badge variant="light" size="sm" tt="none">
                        {t('sessions.current')}
                      </Badge>
                    )}
                  </span>
                  <span className="muted">
                    {[row.address].filter(Boolean).map((part) => `${part} · `)}
                    {t('sessions.seen')} <Ago instant={row.lastSeenAt} />
                  </span>
                </span>
                {!row.current && <EndButton id={row.id} />}
              </li>
            ))}
          </ul>
        )}
      </Loaded>
    </Card>
  );
}
