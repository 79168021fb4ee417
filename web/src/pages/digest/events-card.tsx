import { Link } from '@tanstack/react-router';
import { useTranslation } from 'react-i18next';
import { eventTypes } from '#contract/choices.ts';
import { Card } from '#web/components/card.tsx';
import { formatCount } from '#web/format.ts';
import type { Digest } from '#web/queries/digests.ts';
import { eventViews } from '../alerts/event-views.ts';
import styles from './digest-page.module.css';

export function EventsCard({ digest }: { digest: Digest }) {
  const { t } = useTranslation();
  const names = eventTypes.filter((name) => (digest.events[name] ?? 0) > 0);
  return (
    <Card title={t('digest.events')} lead={names.length === 0 ? t('digest.noEvents') : undefined}>
      <ul className={styles.events}>
        {names.map((name) => {
          const { icon: Icon } = eventViews[name];
          return (
            <li key={name}>
              <Icon size={15} aria-hidden />
              <Link to="/alerts" search={{ type: name } as never}>
                {t(`event.${name}.title`)}
              </Link>
              <strong className="num">{formatCount(digest.events[name] ?? 0)}</strong>
            </li>
          );
        })}
      </ul>
    </Card>
  );
}
