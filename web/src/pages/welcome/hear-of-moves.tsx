import { Button } from '@mantine/core';
import { Link } from '@tanstack/react-router';
import { BellRing } from 'lucide-react';
import { useTranslation } from 'react-i18next';
import { Card } from '../../components/card.tsx';
import styles from './steps.module.css';

/** Where moves can be told to, for those who will not come to look every day. */
export function HearOfMoves() {
  const { t } = useTranslation();
  return (
    <Card title={t('welcome.hear.title')} lead={t('welcome.hear.lead')}>
      <div className={styles.connect}>
        <Button
          variant="default"
          className="touch"
          leftSection={<BellRing size={15} aria-hidden />}
          renderRoot={(props) => (
            <Link to="/alerts" search={{ tab: 'webhooks' } as never} {...props} />
          )}
        >
          {t('welcome.hear.webhook')}
        </Button>
        <Button
          variant="subtle"
          className="touch"
          renderRoot={(props) => <Link to="/digest" {...props} />}
        >
          {t('welcome.hear.digest')}
        </Button>
      </div>
    </Card>
  );
}
