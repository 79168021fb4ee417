import { useTranslation } from 'react-i18next';
import type { AnnotationActions } from '#web/annotations/use-annotation-actions.ts';
import { formatDay } from '#web/format.ts';
import type { TimelineItem } from '#web/queries/timeline.ts';
import { ItemRow } from './item-row.tsx';
import styles from './timeline-page.module.css';

interface Props {
  day: string;
  items: TimelineItem[];
  appId: number;
  notes: AnnotationActions;
}

export function DayGroup({ day, items, appId, notes }: Props) {
  const { i18n } = useTranslation();
  const weekday = new Intl.DateTimeFormat(i18n.language, {
    timeZone: 'UTC',
    weekday: 'long',
  }).format(Date.parse(`${day}T00:00:00Z`));
  return (
    <section className={styles.day} aria-labelledby={`day-${day}`}>
      <h2 id={`day-${day}`} className={styles.date}>
        <span className="num">{formatDay(day, true)}</span>
        <span className={styles.weekday}>{weekday}</span>
      </h2>
      <ol className={styles.items}>
        {items.map((item) => (
          <ItemRow key={item.id} item={item} appId={appId} notes={notes} />
        ))}
      </ol>
    </section>
  );
}
