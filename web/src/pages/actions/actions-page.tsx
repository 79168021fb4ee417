import { useQuery } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import { PageHead } from '#web/components/page-head.tsx';
import { appsQuery } from '#web/queries/apps.ts';
import { listKeyOf, useActionSearch } from './action-filters.ts';
import { ActionsInbox } from './actions-inbox.tsx';
import styles from './actions-page.module.css';
import { ActionsToolbar } from './actions-toolbar.tsx';
import { RunActionsButton } from './run-actions-button.tsx';

export function ActionsPage() {
  const { t } = useTranslation();
  const { filter, action, readLatestAction, change } = useActionSearch();
  const { data } = useQuery(appsQuery);
  const apps = data?.items ?? [];
  return (
    <>
      <PageHead title={t('nav.actions')} lead={t('actions.lead')} isLeadOptional>
        <RunActionsButton />
      </PageHead>
      <div className={styles.filters} data-open={action !== undefined || undefined}>
        <ActionsToolbar filter={filter} apps={apps} onChange={change} />
      </div>
      <ActionsInbox
        key={listKeyOf(filter)}
        filter={filter}
        chosen={action}
        readChosen={readLatestAction}
        apps={apps}
        onChange={change}
      />
    </>
  );
}
