import { UnstyledButton } from '@mantine/core';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import { MenuButton } from '../components/overlays/menu-button.tsx';
import { loadFrameOverlays } from './load-overlays.ts';
import { myWorkspacesQuery } from '../queries/my-workspaces.ts';
import { sessionQuery } from '../queries/session.ts';
import styles from './user-menu.module.css';

export function UserMenu() {
  const { t } = useTranslation();
  const queryClient = useQueryClient();
  const { data: session } = useQuery(sessionQuery);
  // Loaded before the menu opens, so that its list does not grow while it is open.
  const fetchWorkspaces = () => void queryClient.prefetchQuery(myWorkspacesQuery);
  if (!session) return null;
  const name = session.user.name ?? session.user.email;
  return (
    <MenuButton
      load={loadFrameOverlays}
      width={216}
      position="top-start"
      button={({ onPointerEnter, onFocus, ...props }) => (
        <UnstyledButton
          {...props}
          className={styles.button}
          onPointerEnter={() => {
            onPointerEnter();
            fetchWorkspaces();
          }}
          onFocus={() => {
            onFocus();
            fetchWorkspaces();
          }}
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
      )}
      items={({ UserItems }) => <UserItems />}
    />
  );
}
