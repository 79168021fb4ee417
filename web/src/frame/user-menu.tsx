import { Menu, UnstyledButton } from '@mantine/core';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { Link, useNavigate } from '@tanstack/react-router';
import { Keyboard, LogOut, Settings } from 'lucide-react';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { call } from '../api.ts';
import { showError } from '../components/toasts/toasts.tsx';
import { myWorkspacesQuery } from '../queries/my-workspaces.ts';
import { forgetSession, saveSignedInHint, sessionQuery } from '../queries/session.ts';
import { openFrameDialog } from '#web/frame-dialog.ts';
import { LanguageChoices } from './language-choices.tsx';
import styles from './user-menu.module.css';
import { WorkspaceChoices } from './workspace-choices.tsx';

export function UserMenu() {
  const { t } = useTranslation();
  const navigate = useNavigate();
  const queryClient = useQueryClient();
  const { data: session } = useQuery(sessionQuery);
  const [opened, setOpened] = useState(false);
  const workspaces = useQuery({ ...myWorkspacesQuery, enabled: opened }).data?.items ?? [];
  const signOut = useMutation({
    mutationFn: () => call('POST /auth/sign-out'),
    async onSuccess() {
      saveSignedInHint(false);
      await navigate({ to: '/sign-in' });
      forgetSession(queryClient);
    },
    onError: showError,
  });
  // Loaded when the menu opens, so that its list does not grow while it is open.
  const fetchWorkspaces = () => void queryClient.prefetchQuery(myWorkspacesQuery);
  if (!session) return null;
  const name = session.user.name ?? session.user.email;
  return (
    <Menu width={216} position="top-start" opened={opened} onChange={setOpened}>
      <Menu.Target>
        <UnstyledButton
          className={styles.button}
          onPointerEnter={fetchWorkspaces}
          onFocus={fetchWorkspaces}
        >
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
        {workspaces.length > 1 && (
          <>
            <WorkspaceChoices workspaces={workspaces} />
            <Menu.Divider />
          </>
        )}
        <Menu.Item
          leftSection={<Settings size={15} aria-hidden />}
          renderRoot={(props) => <Link to="/settings" {...props} />}
        >
          {t('nav.settings')}
        </Menu.Item>
        <Menu.Item
          leftSection={<Keyboard size={15} aria-hidden />}
          onClick={() => openFrameDialog('keys')}
        >
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
