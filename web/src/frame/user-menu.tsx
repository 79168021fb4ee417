import { Menu, UnstyledButton } from '@mantine/core';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { Link, useNavigate } from '@tanstack/react-router';
import { Keyboard, LogOut, Settings } from 'lucide-react';
import { useTranslation } from 'react-i18next';
import { call } from '../api.ts';
import { showError } from '../components/toasts.tsx';
import { forgetSession, rememberSignedIn, sessionQuery } from '../queries/session.ts';
import { openFrameDialog } from './frame-dialog.ts';
import { LanguageChoices } from './language-choices.tsx';
import styles from './user-menu.module.css';

export function UserMenu() {
  const { t } = useTranslation();
  const navigate = useNavigate();
  const queryClient = useQueryClient();
  const { data: session } = useQuery(sessionQuery);
  const signOut = useMutation({
    mutationFn: () => call('POST /auth/sign-out'),
    async onSuccess() {
      rememberSignedIn(false);
      await navigate({ to: '/sign-in' });
      forgetSession(queryClient);
    },
    onError: showError,
  });
  if (!session) return null;
  const name = session.user.name ?? session.user.email;
  return (
    <Menu width={216} position="top-start">
      <Menu.Target>
        <UnstyledButton className={styles.button}>
          <span className="sr-only">{t('user.menu')}</span>
          <span className={styles.initial} aria-hidden>
            {name.slice(0, 1).toUpperCase()}
          </span>
          <span className={styles.names}>
            <span className={styles.name}>{name}</span>
            <span className={styles.workspace}>{session.workspace.name}</span>
          </span>
        </UnstyledButton>
      </Menu.Target>
      <Menu.Dropdown>
        <Menu.Item leftSection={<Settings size={15} aria-hidden />} renderRoot={(props) => <Link to="/settings" {...props} />}>
          {t('nav.settings')}
        </Menu.Item>
        <Menu.Item leftSection={<Keyboard size={15} aria-hidden />} onClick={() => openFrameDialog('keys')}>
          {t('keys.title')}
        </Menu.Item>
        <Menu.Divider />
        <Menu.Label>{t('language.label')}</Menu.Label>
        <LanguageChoices />
        <Menu.Divider />
        <Menu.Item leftSection={<LogOut size={15} aria-hidden />} onClick={() => signOut.mutate()}>
          {t('user.signOut')}
        </Menu.Item>
      </Menu.Dropdown>
    </Menu>
  );
}
