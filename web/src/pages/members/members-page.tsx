import { Button } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { useQuery } from '@tanstack/react-query';
import { UserPlus } from 'lucide-react';
import { useTranslation } from 'react-i18next';
import { Card } from '#web/components/card.tsx';
import { Loaded } from '#web/components/loaded.tsx';
import { PageHead } from '#web/components/page-head.tsx';
import { invitesQuery, membersQuery } from '#web/queries/members.ts';
import { authStateQuery, sessionQuery } from '#web/queries/session.ts';
import { workspaceQuery } from '#web/queries/workspace.ts';
import { useWriteAccess } from '#web/queries/write-guard.ts';
import { InviteDialog } from './invite-dialog.tsx';
import { InvitesCard } from './invites-card.tsx';
import { MemberRow } from './member-row.tsx';
import styles from './members-page.module.css';

export function MembersPage() {
  const { t } = useTranslation();
  const { data: session } = useQuery(sessionQuery);
  const { data: workspace } = useQuery(workspaceQuery);
  const { canWrite, reason } = useWriteAccess();
  // Other pages only need the names.
  const query = useQuery({ ...membersQuery, staleTime: 0 });
  const [isInviting, dialog] = useDisclosure(false);
  const isOwner = session?.role === 'owner';
  const isClosed = useQuery({ ...authStateQuery, enabled: isOwner }).data?.signUp === 'closed';
  const limit = workspace?.limits.members ?? null;
  const { data: invites } = useQuery({ ...invitesQuery, enabled: isOwner });
  const people = query.data?.items.length ?? 0;
  const open = invites?.items.filter(({ state }) => state === 'pending').length ?? 0;
  const seats =
    isOwner && limit !== null
      ? invites && t('members.seats', { used: people + open, limit })
      : t('members.count', { count: people });
  return (
    <div className={styles.page}>
      <PageHead
        title={t('members.title')}
        lead={t(isClosed ? 'members.leadClosed' : isOwner ? 'members.lead' : 'members.leadMember')}
      >
        {isOwner && (
          <Button
            leftSection={<UserPlus size={16} aria-hidden />}
            disabled={!canWrite || isClosed}
            title={reason ?? (isClosed ? t('members.closed') : undefined)}
            onClick={dialog.open}
          >
            {t('members.invite')}
          </Button>
        )}
      </PageHead>
      <div className="stack">
        <Card title={t('members.people')} lead={query.data && seats}>
          <Loaded query={query} height={180}>
            {({ items }) => {
              const owners = items.filter((member) => member.role === 'owner').length;
              return (
                <ul className={styles.rows}>
                  {items.map((member) => (
                    <MemberRow
                      key={member.id}
                      member={member}
                      mayManage={isOwner}
                      isLastOwner={member.role === 'owner' && owners === 1}
                    />
                  ))}
                </ul>
              );
            }}
          </Loaded>
        </Card>
        {isOwner && <InvitesCard />}
      </div>
      <InviteDialog opened={isInviting} onClose={dialog.close} />
    </div>
  );
}
