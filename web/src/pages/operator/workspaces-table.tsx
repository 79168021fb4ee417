import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { formatCount, formatDay } from '../../format.ts';
import type { OperatedWorkspace } from '../../queries/operator.ts';
import styles from './operator-page.module.css';
import { PlanDialog } from './plan-dialog.tsx';
import { StateWords } from './state-words.tsx';
import { SuspendDialog } from './suspend-dialog.tsx';
import { WorkspaceMenu } from './workspace-menu.tsx';

const columns = ['apps', 'keywords', 'members', 'requests'] as const;

function Row({
  workspace,
  onSuspend,
  onPlan,
}: {
  workspace: OperatedWorkspace;
  onSuspend: () => void;
  onPlan: () => void;
}) {
  const { t } = useTranslation();
  const { usage, requestsToday } = workspace;
  return (
    <tr>
      <th scope="row">
        {workspace.name}
        <span className={styles.small}>{workspace.owners.join(', ') || t('operator.noOwner')}</span>
      </th>
      <td>
        <StateWords workspace={workspace} />
      </td>
      <td>{workspace.plan ? t(`planName.${workspace.plan}`) : <span className="muted">–</span>}</td>
      {[usage.apps, usage.keywordMarkets, usage.members, requestsToday].map((figure, at) => (
        <td key={columns[at]} className="end num">
          {formatCount(figure)}
        </td>
      ))}
      <td className="num">{formatDay(workspace.createdAt.slice(0, 10), true)}</td>
      <td className="end">
        <WorkspaceMenu workspace={workspace} onSuspend={onSuspend} onPlan={onPlan} />
      </td>
    </tr>
  );
}

export function WorkspacesTable({ workspaces }: { workspaces: readonly OperatedWorkspace[] }) {
  const { t } = useTranslation();
  const [asked, setAsked] = useState<{
    what: 'suspend' | 'plan';
    workspace: OperatedWorkspace;
  } | null>(null);
  const close = () => setAsked(null);
  return (
    <>
      <div className="table-scroll" role="region" aria-label={t('operator.table')} tabIndex={0}>
        <table className={`plain-table ${styles.withMenu}`}>
          <thead>
            <tr>
              <th scope="col">{t('operator.workspace')}</th>
              <th scope="col">{t('operator.state')}</th>
              <th scope="col">{t('operator.plan')}</th>
              {columns.map((id) => (
                <th key={id} scope="col" className="end">
                  {t(`operator.column.${id}`)}
                </th>
              ))}
              <th scope="col">{t('operator.created')}</th>
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
