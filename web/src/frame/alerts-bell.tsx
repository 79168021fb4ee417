import { ActionIcon } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { Bell } from 'lucide-react';
import { useTranslation } from 'react-i18next';
import { unreadQuery } from '../queries/unread-events.ts';
import styles from './alerts-bell.module.css';

const most = 99;

/** A link to the alerts, with the number of those that the reader has not seen. */
export function AlertsBell() {
  const { t } = useTranslation();
  const count = useQuery(unreadQuery).data?.unread ?? 0;
  const shown = count > most ? `${most}+` : String(count);
  return (
    <ActionIcon
      className={`touch ${styles.bell}`}
      variant="default"
      radius="xl"
      size={34}
      aria-label={count === 0 ? t('bell.none') : t('bell.unread', { count, shown })}
      renderRoot={(props) => <Link to="/alerts" {...props} />}
    >
      <Bell size={16} aria-hidden />
      {count > 0 && (
        <span className={styles.count} aria-hidden>
          {shown}
        </span>
      )}
    </ActionIcon>
  );
}
