import { Menu } from '@mantine/core';
import { useTranslation } from 'react-i18next';
import type { MyWorkspace } from '../queries/my-workspaces.ts';
import { useOpenWorkspace } from '../use-open-workspace.ts';
import styles from './workspace-choices.module.css';

/** Menu items of the reader's workspaces, with role and status. */
export function WorkspaceChoices({ workspaces }: { workspaces: readonly MyWorkspace[] }) {
  const { t } = useTranslation();
  const { mutate } = useOpenWorkspace();
  const current = workspaces.find((workspace) => workspace.current);
  return (
    <>
      <Menu.Label aria-hidden>{t('workspaces.label')}</Menu.Label>
      <div role="group" aria-label={t('workspaces.label')} className={styles.choices}>
        <Menu.RadioGroup value={String(current?.id)} onChange={(chosen) => mutate(Number(chosen))}>
          {workspaces.map((workspace) => (
            <Menu.RadioItem key={workspace.id} value={String(workspace.id)}>
              <bdi className={styles.name}>{workspace.name}</bdi>
              <span className={styles.workspaceStatus}>
                {t(`workspaces.role.${workspace.role}`)} ·{' '}
                {t(`workspaces.state.${workspace.deleteAt ? 'deleted' : workspace.state}`)}
              </span>
            </Menu.RadioItem>
          ))}
        </Menu.RadioGroup>
      </div>
    </>
  );
}
