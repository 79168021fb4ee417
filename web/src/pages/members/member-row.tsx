import { Badge, Select } from '@mantine/core';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { useTranslation } from 'react-i18next';
import { call } from '#web/api.ts';
import { Ago } from '#web/components/ago.tsx';
import { ConfirmButton } from '#web/components/confirm-button.tsx';
import { showSuccess, showError } from '#web/components/toasts/toasts.tsx';
import { deleteIfThere } from '#web/delete-if-there.ts';
import { refreshMembers, type Member } from '#web/queries/members.ts';
import { leaveSession } from '#web/leave-session.ts';
import { sessionQuery } from '#web/queries/session.ts';
import { useCredentialAccess, useWriteAccess } from '#web/queries/write-guard.ts';
import styles from './members-page.module.css';

interface Props {
  member: Member;
  mayManage: boolean;
  isLastOwner: boolean;
}

const roles = ['owner', 'member'] as const;

export function MemberRow({ member, mayManage, isLastOwner }: Props) {
  const { t } = useTranslation();
  const queryClient = useQueryClient();
  const { canWrite, reason } = useWriteAccess();
  const removing = useCredentialAccess();
  const name = member.name ?? member.email;
  const updateMemberRole = useMutation({
    mutationFn: (role: Member['role']) =>
      call('PATCH /workspace/members/{id}', { params: { id: member.id }, body: { role } }),
    onSuccess: ({ role }) => showSuccess(t(`members.nowRole.${role}`, { name })),
    onError: showError,
    async onSettled() {
      // Before the invitations, which a former owner may not read.
      if (member.you) await queryClient.invalidateQueries({ queryKey: sessionQuery.queryKey });
      await refreshMembers(queryClient);
    },
  });
  const why = isLastOwner ? t('members.lastOwner') : reason;
  return (
    <li>
      <span className={styles.initial} aria-hidden>
        {[...name][0]?.toUpperCase()}
      </span>
      <span className={styles.grow}>
        <span className={styles.name}>
          {name}
          {member.you && (
            <Badge variant="light" size="sm" tt="none">
              {t('members.you')}
            </Badge>
          )}
        </span>
        <span className="muted">
          {member.name && `${member.email} · `}
          {t('members.joined')} <Ago instant={member.joinedAt} />
        </span>
        {mayManage && isLastOwner && <span className="muted">{t('members.lastOwner')}</span>}
      </span>
      {mayManage ? (
        <Select
          className={styles.role}
          aria-label={t('members.roleOf', { name })}
          data={roles.map((role) => ({ value: role, label: t(`members.role.${role}`) }))}
          value={member.role}
          allowDeselect={false}
          disabled={!canWrite || isLastOwner || updateMemberRole.isPending}
          title={why}
          onChange={(value) => updateMemberRole.mutate(value === 'owner' ? 'owner' : 'member')}
        />
      ) : (
        <span className={styles.roleText}>{t(`members.role.${member.role}`)}</span>
      )}
      {(mayManage || member.you) && (
        <RemoveButton
          member={member}
          name={name}
          disabled={!removing.canWrite || isLastOwner}
          why={isLastOwner ? why : removing.reason}
        />
      )}
    </li>
  );
}

/** Asks for confirmation, because sessions and tokens end immediately. */
function RemoveButton({
  member,
  name,
  disabled,
  why,
}: {
  member: Member;
  name: string;
  disabled: boolean;
  why: string | undefined;
}) {
  const { t } = useTranslation();
  const navigate = useNavigate();
  const queryClient = useQueryClient();
  const remove = useMutation({
    mutationFn: () =>
      deleteIfThere(call('DELETE /workspace/members/{id}', { params: { id: member.id } })),
    async onSuccess() {
      if (member.you) await leaveSession(queryClient, () => navigate({ to: '/sign-in' }));
      else showSuccess(t('members.removed', { name }));
    },
    onError: showError,
    onSettled: () => refreshMembers(queryClient),
  });
  return (
    <ConfirmButton
      question={member.you ? t('members.leaveConfirm') : t('members.removeConfirm', { name })}
      sure={member.you ? t('members.leaveNow') : t('members.removeNow')}
      disabled={disabled}
      why={why}
      loading={remove.isPending}
      onConfirm={() => remove.mutate()}
    >
      {member.you ? t('members.leave') : t('members.remove')}
      {!member.you && <span className="sr-only"> {name}</span>}
    </ConfirmButton>
  );
}
