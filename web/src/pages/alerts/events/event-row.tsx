import { Link } from '@tanstack/react-router';
import { useTranslation } from 'react-i18next';
import type { EventName } from '#web/queries/alerts.ts';
import { eventViews, formatEvent } from '../event-views.ts';
import styles from './events.module.css';

interface Props {
  type: EventName;
  data: unknown;
  appId: number | null;
  appName: string | undefined;
  /** The time of day, or null if the day is precise enough. */
  at?: { instant: string; shown: string };
  isUnread?: boolean;
}

/** One event as a sentence with a link. */
export function EventRow({ type, data, appId, appName, at, isUnread = false }: Props) {
  const { t } = useTranslation();
  const { sentence, note, link } = formatEvent(type, data, appId, t);
  const { icon: Icon, tone } = eventViews[type];
  return (
    <li className={styles.row} data-type={type} data-key-row>
      <span className={styles.icon} data-tone={tone} title={t(`event.${type}.title`)}>
        <Icon size={15} aria-hidden />
        <span className="sr-only">{t(`event.${type}.title`)}</span>
      </span>
      <div className={styles.words}>
        {link ? (
          <Link {...link} className={styles.sentence}>
            {sentence}
          </Link>
        ) : (
          <span>{sentence}</span>
        )}
        {note && <span className={styles.note}>{note}</span>}
        <span className={styles.about}>
          {isUnread && <span className={styles.unread}>{t('alerts.unread')}</span>}
          {appName && <span>{appName}</span>}
          {at && (
            <time dateTime={at.instant} className="num">
              {at.shown}
            </time>
          )}
        </span>
      </div>
    </li>
  );
}
