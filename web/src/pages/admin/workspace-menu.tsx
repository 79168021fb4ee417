import { ActionIcon, Menu } from '@mantine/core';
import { Ban, CircleCheck, CreditCard, Ellipsis } from 'lucide-react';
import { useTranslation } from 'react-i18next';
import { useHasPlans } from '#web/queries/billing.ts';
import type { AdminWorkspace } from '#web/queries/admin.ts';
import { useUnsuspend } from './use-workspace-mutations.ts';

interface Props {
  workspace: AdminWorkspace;
  onSuspend: () => void;
  onPlan: () => void;
}

export function WorkspaceMenu({ workspace, onSuspend, onPlan }: Props) {
  const { t } = useTranslation();
  const hasPlans = useHasPlans();
  const unsuspend = useUnsuspend();
  return (
    // Within the table, which scrolls, it would be cut off.
    <Menu position="bottom-end" withinPortal portalProps={{ target: '#main' }}>
      <Menu.Target>
        <ActionIcon
          className="touch"
          variant="default"
          aria-label={t('admin.menu', { name: workspace.name })}
          loading={unsuspend.isPending}
        >
          <Ellipsis size={16} aria-hidden />
        </ActionIcon>
      </Menu.Target>
      <Menu.Dropdown>
        {workspace.suspendedAt !== null ? (
          <Menu.Item
            leftSection={<CircleCheck size={15} aria-hidden />}
            onClick={() => unsuspend.mutate(workspace)}
          >
            {t('admin.unsuspend')}
          </Menu.Item>
        ) : (
          <Menu.Item leftSection={<Ban size={15} aria-hidden />} onClick={onSuspend}>
            {t('admin.suspend')}
          </Menu.Item>
        )}
        {hasPlans && (
          <Menu.Item leftSection={<CreditCard size={15} aria-hidden />} onClick={onPlan}>
            {t('admin.setPlan')}
          </Menu.Item>
        )}
      </Menu.Dropdown>
    </Menu>
  );
}
