import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { formatCount, formatDay, zonedDayOf } from '#web/format.ts';
import type { AdminWorkspace } from '#web/queries/admin.ts';
import styles from './admin-page.module.css';
import { PlanDialog } from './plan-dialog.tsx';
import { WorkspaceStateDetails } from './workspace-state-details.tsx';
import { SuspendDialog } from './suspend-dialog.tsx';
import { WorkspaceMenu } from './workspace-menu.tsx';

const columns = ['apps', 'keywords', 'members', 'requests'] as const;

function Row({
  workspace,
  onSuspend,
  onPlan,
}: {
  workspace: AdminWorkspace;
  onSuspend: () => void;
  onPlan: () => void;
}) {
  const { t } = useTranslation();
  const { usage, requestsToday } = workspace;
  return (
    <tr>
      <th scope="row">
        {workspace.name}
        <span className={styles.small}>{workspace.owners.join(', ') || t('admin.noOwner')}</span>
      </th>
      <td>
        <WorkspaceStateDetails workspace={workspace} />
      </td>
      <td>{workspace.plan ? t(`planName.${workspace.plan}`) : <span className="muted">–</span>}</td>
      {[usage.apps, usage.keywordMarkets, usage.members, requestsToday].map((figure, at) => (
        <td key={columns[at]} className="end num">
          {formatCount(figure)}
        </td>
      ))}
      <td className="num">{formatDay(zonedDayOf(workspace.createdAt), true)}</td>
      <td className="end">
        <WorkspaceMenu workspace={workspace} onSuspend={onSuspend} onPlan={onPlan} />
      </td>
    </tr>
  );
}

export function WorkspacesTable({ workspaces }: { workspaces: readonly AdminWorkspace[] }) {
  const { t } = useTranslation();
  const [asked, setAsked] = useState<{
    what: 'suspend' | 'plan';
    workspace: AdminWorkspace;
  } | null>(null);
  const close = () => setAsked(null);
  return (
    <>
      <div
        className="table-scroll"
        role="region"
        aria-label={t('table.region', { label: t('admin.tab.workspaces') })}
        tabIndex={0}
      >
        <table className={`plain-table ${styles.withMenu}`}>
          <thead>
            <tr>
              <th scope="col">{t('admin.workspace')}</th>
              <th scope="col">{t('admin.state')}</th>
              <th scope="col">{t('admin.plan')}</th>
              {columns.map((id) => (
                <th key={id} scope="col" className="end">
                  {t(`admin.column.${id}`)}
                </th>
              ))}
              <th scope="col">{t('admin.created')}</th>
              <td />
            </tr>
          </thead>
          <tbody>
            {workspaces.map((workspace) => (
              <Row
                key={workspace.id}
                workspace={workspace}
                onSuspend={() => setAsked({ what: 'suspend', workspace })}
                onPlan={() => setAsked({ what: 'plan', workspace })}
              />
            ))}
          </tbody>
        </table>
      </div>
      {asked?.what === 'suspend' && <SuspendDialog workspace={asked.workspace} onClose={close} />}
      {asked?.what === 'plan' && <PlanDialog workspace={asked.workspace} onClose={close} />}
    </>
  );
}
