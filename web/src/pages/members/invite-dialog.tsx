import { publicUrl } from '#web/base-path.ts';
import { Button, Modal, Select, TextInput } from '@mantine/core';
import { useForm } from '@mantine/form';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { call } from '#web/api.ts';
import { CopyButton } from '#web/components/copy-button.tsx';
import { ErrorNotice } from '#web/components/error-notice.tsx';
import { readRefusal } from '#web/components/refused-fields.tsx';
import { invitesQuery, type CreatedInvite } from '#web/queries/members.ts';
import styles from './members-page.module.css';

/** The link can be shown only now, because only its hash is stored. */
function Made({ invite, onClose }: { invite: CreatedInvite; onClose: () => void }) {
  const { t } = useTranslation();
  // If the instance does not know its own address, the link contains only a path.
  const link = invite.acceptUrl!.startsWith('/')
    ? `${publicUrl}${invite.acceptUrl!}`
    : invite.acceptUrl!;
  return (
    <div className={styles.form}>
      <p>{t(`invites.mail.${invite.mail}`, { email: invite.email })}</p>
      <div className={styles.secret}>
        <code data-testid="invite-link">{link}</code>
        <CopyButton text={link} label={t('invites.link')} />
      </div>
      <p className="muted">{t('invites.once')}</p>
      <div className={styles.formActions}>
        <Button onClick={onClose}>{t('invites.done')}</Button>
      </div>
    </div>
  );
}

function Form({
  onMade,
  onClose,
}: {
  onMade: (invite: CreatedInvite) => void;
  onClose: () => void;
}) {
  const { t } = useTranslation();
  const queryClient = useQueryClient();
  const form = useForm<{ email: string; role: 'owner' | 'member' }>({
    initialValues: { email: '', role: 'member' },
  });
  const create = useMutation({
    mutationFn: (body: typeof form.values) => call('POST /workspace/invites', { body }),
    onSuccess(made) {
      void queryClient.invalidateQueries({ queryKey: invitesQuery.queryKey });
      onMade(made);
    },
  });
  const { fields, other } = readRefusal(create.error, ({ path, code, limit }) => {
    if (path !== 'email') return null;
    if (code === 'too_large') return t('invites.tooMany', { limit });
    return code === 'invalid' ? t('invites.isMember') : t('invites.emailRule');
  });
  return (
    <form className={styles.form} onSubmit={form.onSubmit((values) => create.mutate(values))}>
      <TextInput
        label={t('field.email')}
        type="email"
        required
        maxLength={254}
        data-autofocus
        {...form.getInputProps('email')}
        error={fields.email}
      />
      <Select
        label={t('invites.role')}
        description={t(`members.may.${form.values.role}`)}
        data={(['member', 'owner'] as const).map((role) => ({
          value: role,
          label: t(`members.role.${role}`),
        }))}
        allowDeselect={false}
        {...form.getInputProps('role')}
      />
      {other !== null && <ErrorNotice error={other} />}
      <div className={styles.formActions}>
        <Button variant="default" onClick={onClose}>
          {t('common.cancel')}
        </Button>
        <Button type="submit" loading={create.isPending}>
          {t('invites.create')}
        </Button>
      </div>
    </form>
  );
}

export function InviteDialog({ opened, onClose }: { opened: boolean; onClose: () => void }) {
  const { t } = useTranslation();
  const [made, setMade] = useState<CreatedInvite | null>(null);
  const close = () => {
    onClose();
    setMade(null);
  };
  return (
    <Modal
      opened={opened}
      onClose={close}
      title={made ? t('invites.ready') : t('members.invite')}
      size="lg"
      closeOnClickOutside={made === null}
      closeOnEscape={made === null}
      closeButtonProps={{ 'aria-label': t('common.close') }}
    >
      {made ? <Made invite={made} onClose={close} /> : <Form onMade={setMade} onClose={close} />}
    </Modal>
  );
}
