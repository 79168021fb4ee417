import { Menu } from '@mantine/core';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { Link, useNavigate } from '@tanstack/react-router';
import { Keyboard, LogOut, Settings } from 'lucide-react';
import { useTranslation } from 'react-i18next';
import { openFrameDialog } from '#web/frame-dialog.ts';
import { call } from '../api.ts';
import { showError } from '../components/toasts/toasts.tsx';
import { leaveSession } from '../leave-session.ts';
import { myWorkspacesQuery } from '../queries/my-workspaces.ts';
import { LanguageChoices } from './language-choices.tsx';
import { WorkspaceChoices } from './workspace-choices.tsx';

/** Menu items of the account. */
export function UserItems() {
  const { t } = useTranslation();
  const navigate = useNavigate();
  const queryClient = useQueryClient();
  const workspaces = useQuery(myWorkspacesQuery).data?.items ?? [];
  const signOut = useMutation({
    mutationFn: () => call('POST /auth/sign-out'),
    onSuccess: () => leaveSession(queryClient, () => navigate({ to: '/sign-in' })),
    onError: showError,
  });
  return (
    <>
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
    </>
  );
}
