import { Button } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { ChevronsUpDown } from 'lucide-react';
import { useTranslation } from 'react-i18next';
import { myWorkspacesQuery } from '../queries/my-workspaces.ts';
import { MenuButton } from '../components/overlays/menu-button.tsx';
import { loadFrameOverlays } from './load-overlays.ts';
import styles from './workspace-choices.module.css';

/** For pages without the frame, if the reader has several workspaces. */
export function WorkspaceMenu() {
  const { t } = useTranslation();
  const workspaces = useQuery(myWorkspacesQuery).data?.items ?? [];
  if (workspaces.length < 2) return null;
  return (
    <MenuButton
      load={loadFrameOverlays}
      width={216}
      position="bottom-end"
      button={(props) => (
        <Button
          {...props}
          variant="subtle"
          color="gray"
          className="touch"
          rightSection={<ChevronsUpDown size={15} aria-hidden />}
        >
          <span className="sr-only">{t('workspaces.choose')}</span>
          <span className={styles.open}>
            {workspaces.find((workspace) => workspace.current)?.name}
          </span>
        </Button>
      )}
      items={({ WorkspaceChoices }) => <WorkspaceChoices workspaces={workspaces} />}
    />
  );
}
