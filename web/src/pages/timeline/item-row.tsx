import {
  CalendarX2,
  FileDiff,
  MessageSquareWarning,
  NotebookPen,
  Rocket,
  TrendingUp,
  type LucideIcon,
} from 'lucide-react';
import { useTranslation } from 'react-i18next';
import { CountryChip } from '../../components/country-chip.tsx';
import { NoteRow } from '../../components/notes/note-row.tsx';
import type { NoteActions } from '../../components/notes/use-notes.ts';
import { tellItem } from '../../components/tell-fact.ts';
import type { TimelineItem, TimelineKind } from '../../queries/timeline.ts';
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
};

const mostCountries = 6;

interface Props {
  item: TimelineItem;
  appId: number;
  notes: NoteActions;
}

/** One thing that happened: what, where, and what can be looked into. */
export function ItemRow({ item, appId, notes }: Props) {
  const { t } = useTranslation();
  const Icon = icons[item.kind];
  const { title, text } = tellItem(item, t);
  const isRival = item.competitorId !== null;
  return (
    <li className={styles.item} data-kind={item.kind} data-rival={isRival || undefined}>
      <span className={styles.icon}>
        <Icon size={15} aria-hidden />
        <span className="sr-only">{t(`timeline.kind.${item.kind}`)}</span>
      </span>
      <div className={styles.words}>
        {item.kind === 'annotation' ? (
          <NoteRow
            note={{
              id: Number(readKey(item)),
              appId,
              date: item.date,
              text: item.title,
              keywordIds: item.keywordIds,
              createdAt: '',
            }}
            actions={notes}
            withoutDay
          />
        ) : (
          <>
            <div className={styles.line}>
              <p className={styles.title}>
                {title}
                {isRival && <span className={styles.rival}>{t('timeline.rival')}</span>}
              </p>
              <ItemLink item={item} appId={appId} />
            </div>
            {text && <p className="muted">{text}</p>}
            {item.countries.length > 0 && (
              <p className={styles.countries}>
                {item.countries.slice(0, mostCountries).map((country) => (
                  <CountryChip key={country} code={country} />
                ))}
                {item.countries.length > mostCountries && (
                  <span className="muted">
                    {t('timeline.moreCountries', { count: item.countries.length - mostCountries })}
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
