import { Button } from '@mantine/core';
import { Link } from '@tanstack/react-router';
import { BellRing } from 'lucide-react';
import { useTranslation } from 'react-i18next';
import { Card } from '#web/components/card.tsx';
import styles from './steps.module.css';

export function NotificationsCard() {
  const { t } = useTranslation();
  return (
    <Card title={t('welcome.notifications.title')} lead={t('welcome.notifications.lead')}>
      <div className={styles.connect}>
        <Button
          variant="default"
          className="touch"
          leftSection={<BellRing size={15} aria-hidden />}
          renderRoot={(props) => (
            <Link to="/alerts" search={{ tab: 'webhooks' } as never} {...props} />
          )}
        >
          {t('welcome.notifications.webhook')}
        </Button>
        <Button
          variant="subtle"
          className="touch"
          renderRoot={(props) => <Link to="/digest" {...props} />}
        >
          {t('welcome.notifications.digest')}
        </Button>
      </div>
    </Card>
  );
}
