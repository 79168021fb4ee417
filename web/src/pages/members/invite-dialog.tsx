import { publicUrl } from '#web/base-path.ts';
import { Button, Modal, Select, TextInput } from '@mantine/core';
import { useForm } from '@mantine/form';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import { call } from '#web/api.ts';
import { CopyButton } from '#web/components/copy-button.tsx';
import { ErrorNotice } from '#web/components/error-notice.tsx';
import { readRefusal } from '#web/components/refused-fields.tsx';
import { showSuccess } from '#web/components/toasts/toasts.tsx';
import { invitesQuery, type CreatedInvite } from '#web/queries/members.ts';
import { useErrorAfterLeaving } from '#web/use-error-after-leaving.ts';
import { useIsMounted } from '#web/use-is-mounted.ts';
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

interface Values {
  email: string;
  role: 'owner' | 'member';
}

function useCreation() {
  const { t } = useTranslation();
  const queryClient = useQueryClient();
  const isMounted = useIsMounted();
  return useMutation({
    mutationFn: (body: Values) => call('POST /workspace/invites', { body }),
    onSuccess() {
      void queryClient.invalidateQueries({ queryKey: invitesQuery.queryKey });
      if (!isMounted()) showSuccess(t('invites.ready'));
    },
    onError: useErrorAfterLeaving(),
  });
}

interface FormProps {
  create: ReturnType<typeof useCreation>;
  onClose: () => void;
}

function Form({ create, onClose }: FormProps) {
  const { t } = useTranslation();
  const form = useForm<Values>({ initialValues: { email: '', role: 'member' } });
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
        <Button variant="default" disabled={create.isPending} onClick={onClose}>
          {t('common.cancel')}
        </Button>
        <Button type="submit" loading={create.isPending}>
          {t('invites.create')}
        </Button>
      </div>
    </form>
  );
}

/** It stays open while the link is created, because nobody could see the link later. */
export function InviteDialog({ opened, onClose }: { opened: boolean; onClose: () => void }) {
  const { t } = useTranslation();
  const create = useCreation();
  const made = create.data;
  const isClosable = !create.isPending && !made;
  const close = () => {
    onClose();
    create.reset();
  };
  return (
    <Modal
      opened={opened}
      onClose={close}
      title={made ? t('invites.ready') : t('members.invite')}
      size="lg"
      closeOnClickOutside={isClosable}
      closeOnEscape={isClosable}
      closeButtonProps={{ 'aria-label': t('common.close'), disabled: create.isPending }}
    >
      {made ? <Made invite={made} onClose={close} /> : <Form create={create} onClose={close} />}
    </Modal>
  );
}
