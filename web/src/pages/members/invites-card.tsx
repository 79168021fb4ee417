import { Badge, Button } from '@mantine/core';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import { call } from '#web/api.ts';
import { Ago } from '#web/components/ago.tsx';
import { Card } from '#web/components/card.tsx';
import { Loaded } from '#web/components/loaded.tsx';
import { showSuccess, showError } from '#web/components/toasts/toasts.tsx';
import { deleteIfThere } from '#web/delete-if-there.ts';
import { invitesQuery, refreshMembers, type Invite } from '#web/queries/members.ts';
import { useCredentialAccess } from '#web/queries/write-guard.ts';
import styles from './members-page.module.css';

function InviteRow({ invite }: { invite: Invite }) {
  const { t } = useTranslation();
  const queryClient = useQueryClient();
  const { canWrite, reason } = useCredentialAccess();
  const revoke = useMutation({
    mutationFn: () =>
      deleteIfThere(call('DELETE /workspace/invites/{id}', { params: { id: invite.id } })),
    // One that is gone may have been accepted, which the list of members shows.
    onSuccess: (wasThere) => wasThere && showSuccess(t('invites.revoked', { email: invite.email })),
    onError: showError,
    onSettled: () => refreshMembers(queryClient),
  });
  return (
    <li>
      <span className={styles.grow}>
        <span className={styles.name}>
          {invite.email}
          {invite.state === 'expired' && (
            <Badge variant="light" color="gray" size="sm" tt="none">
              {t('invites.expired')}
            </Badge>
          )}
        </span>
        <span className="muted">
          {t(`members.role.${invite.role}`)} · {t('invites.made')}{' '}
          <Ago instant={invite.createdAt} />
          {invite.state === 'pending' && (
            <>
              {' · '}
              {t('invites.ends')} <Ago instant={invite.expiresAt} />
            </>
          )}
        </span>
      </span>
      <Button
        size="xs"
        variant="default"
        className="touch"
        disabled={!canWrite}
        title={reason}
        loading={revoke.isPending}
        onClick={() => revoke.mutate()}
      >
        {t('invites.revoke')}
        <span className="sr-only"> {invite.email}</span>
      </Button>
    </li>
  );
}

/** Pending invitations, visible to owners. */
export function InvitesCard() {
  const { t } = useTranslation();
  const query = useQuery(invitesQuery);
  return (
    <Card title={t('invites.title')} lead={t('invites.lead')}>
      <Loaded query={query} height={80}>
        {({ items }) =>
          items.length === 0 ? (
            <p className="muted">{t('invites.none')}</p>
          ) : (
            <ul className={styles.rows}>
              {items.map((invite) => (
                <InviteRow key={invite.id} invite={invite} />
              ))}
            </ul>
          )
        }
      </Loaded>
    </Card>
  );
}
