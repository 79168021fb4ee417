import { Link } from '@tanstack/react-router';
import { useTranslation } from 'react-i18next';
import type { EventName } from '../../../queries/alerts.ts';
import { eventIcons } from '../event-names.ts';
import styles from './events.module.css';
import { useTellEvent } from './tell-event.ts';

interface Props {
  type: EventName;
  data: unknown;
  appId: number | null;
  appName: string | undefined;
  /** When, as it is to be read beside its day; none where the day says enough. */
  at?: { instant: string; shown: string };
}

/** One thing that happened, in a sentence that leads to it. */
export function EventRow({ type, data, appId, appName, at }: Props) {
  const { t } = useTranslation();
  const { sentence, note, link } = useTellEvent()(type, data, appId);
  const Icon = eventIcons[type];
  return (
    <li className={styles.row} data-type={type} data-key-row>
      <span className={styles.icon} data-type={type} title={t(`alerts.event.${type}`)}>
        <Icon size={15} aria-hidden />
        <span className="sr-only">{t(`alerts.event.${type}`)}</span>
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
