import { Link } from '@tanstack/react-router';
import { useTranslation } from 'react-i18next';
import { eventTypes } from '../../../../src/contract/choices.ts';
import { Card } from '../../components/card.tsx';
import { formatCount } from '../../format.ts';
import type { Digest } from '../../queries/digests.ts';
import { eventIcons } from '../alerts/event-names.ts';
import styles from './digest-page.module.css';

/** How many events of each kind the week had. */
export function EventsCard({ digest }: { digest: Digest }) {
  const { t } = useTranslation();
  const names = eventTypes.filter((name) => (digest.events[name] ?? 0) > 0);
  return (
    <Card title={t('digest.events')} lead={names.length === 0 ? t('digest.noEvents') : undefined}>
      <ul className={styles.events}>
        {names.map((name) => {
          const Icon = eventIcons[name];
          return (
            <li key={name}>
              <Icon size={15} aria-hidden />
              <Link to="/alerts" search={{ type: name } as never}>
                {t(`alerts.event.${name}`)}
              </Link>
              <strong className="num">{formatCount(digest.events[name] ?? 0)}</strong>
            </li>
          );
        })}
      </ul>
    </Card>
  );
}
