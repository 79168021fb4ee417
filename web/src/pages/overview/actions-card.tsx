import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { useTranslation } from 'react-i18next';
import { Card } from '#web/components/card.tsx';
import { Loaded } from '#web/components/loaded.tsx';
import { formatCount } from '#web/format.ts';
import { openActionsQuery } from '#web/queries/overview.ts';
import { formatReason } from '../actions/reasons/format-reason.ts';
import { SeverityBadge } from '../actions/severity-badge.tsx';
import { formatActionTitle } from '../actions/format-action-title.ts';
import styles from './overview-page.module.css';

const shown = 3;

export function ActionsCard({ appId }: { appId: number }) {
  const { t } = useTranslation();
  const query = useQuery(openActionsQuery(appId));
  const total = query.data?.total ?? null;
  return (
    <Card
      title={t('overview.actions')}
      action={
        <Link
          to="/actions"
          search={(before) => ({ ...before, app: appId })}
          className={styles.more}
        >
          {!total
            ? t('overview.allActions')
            : t('overview.allOpen', { count: total, shown: formatCount(total) })}
        </Link>
      }
    >
      <Loaded query={query} height={[427, 459]}>
        {({ items }) =>
          items.length === 0 ? (
            <p className="muted">{t('overview.noActions')}</p>
          ) : (
            <ul className={styles.todo}>
              {items.slice(0, shown).map((action) => (
                <li key={action.id}>
                  <SeverityBadge severity={action.severity} />
                  <Link
                    to="/actions"
                    search={(before) => ({ ...before, app: appId, action: action.id })}
                    className={styles.todoTitle}
                  >
                    {formatActionTitle(action, t)}
                  </Link>
                  <p className={styles.todoReason}>{formatReason(action, t)}</p>
                </li>
              ))}
            </ul>
          )
        }
      </Loaded>
    </Card>
  );
}
