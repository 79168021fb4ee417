import {
  ArrowRightLeft,
  CalendarX2,
  FileDiff,
  MessageSquareWarning,
  NotebookPen,
  Rocket,
  TrendingUp,
  type LucideIcon,
} from 'lucide-react';
import { useTranslation } from 'react-i18next';
import { CountryChip } from '#web/components/country-chip.tsx';
import { AnnotationRow } from '#web/annotations/annotation-row.tsx';
import type { AnnotationActions } from '#web/annotations/use-annotation-actions.ts';
import { formatTimelineItem } from '#web/components/format-timeline-item.ts';
import { useCurrentApp } from '#web/frame/current-app.ts';
import type { TimelineItem, TimelineKind } from '#web/queries/timeline.ts';
import { ChangeParts } from './change-parts.tsx';
import { ItemLink } from './item-link.tsx';
import { readKey } from './links.ts';
import styles from './timeline-page.module.css';

const icons: Record<TimelineKind, LucideIcon> = {
  change: FileDiff,
  version: Rocket,
  rank: TrendingUp,
  reviews: MessageSquareWarning,
  annotation: NotebookPen,
  run: CalendarX2,
  provider: ArrowRightLeft,
};

const maxCountries = 6;

interface Props {
  item: TimelineItem;
  appId: number;
  notes: AnnotationActions;
}

export function ItemRow({ item, appId, notes }: Props) {
  const { t } = useTranslation();
  const store = useCurrentApp()?.store;
  const Icon = icons[item.kind];
  const { title, text } = formatTimelineItem(item, store, t);
  const isCompetitor = item.competitorId !== null;
  return (
    <li className={styles.item} data-kind={item.kind} data-competitor={isCompetitor || undefined}>
      <span className={styles.icon}>
        <Icon size={15} aria-hidden />
        <span className="sr-only">{t(`timeline.kind.${item.kind}`)}</span>
      </span>
      <div className={styles.words}>
        {item.kind === 'annotation' ? (
          <AnnotationRow
            note={{
              id: Number(readKey(item)),
              appId,
              date: item.date,
              text: item.title,
              keywordIds: item.keywordIds,
            }}
            actions={notes}
            withoutDay
          />
        ) : (
          <>
            <div className={styles.line}>
              <p className={styles.title}>
                {title}
                {isCompetitor && (
                  <span className={styles.competitor}>{t('timeline.competitor')}</span>
                )}
              </p>
              <ItemLink item={item} appId={appId} />
            </div>
            {/* The note about positions is above the days, once. */}
            {text && item.kind !== 'rank' && <p className="muted">{text}</p>}
            {item.countries.length > 0 && (
              <p className={styles.countries}>
                {item.countries.slice(0, maxCountries).map((country) => (
                  <CountryChip key={country} code={country} />
                ))}
                {item.countries.length > maxCountries && (
                  <span className="muted">
                    {t('timeline.moreCountries', { count: item.countries.length - maxCountries })}
                  </span>
                )}
              </p>
            )}
            <ChangeParts item={item} title={title} appId={appId} />
          </>
        )}
      </div>
    </li>
  );
}
