import { useId, useState } from 'react';
import { ChevronDown } from 'lucide-react';
import { useTranslation } from 'react-i18next';
import type { TimelineItem } from '#web/queries/timeline.ts';
import { ChangeDiff } from './change-diff.tsx';
import { ImpactPanel } from './impact-panel.tsx';
import { readDiffLink, readImpactLink } from './links.ts';
import styles from './timeline-page.module.css';

type Part = 'diff' | 'impact';

/** The diff and the impact of a change, loaded when opened. */
export function ChangeParts({
  item,
  title,
  appId,
}: {
  item: TimelineItem;
  title: string;
  appId: number;
}) {
  const { t } = useTranslation();
  const [open, setOpen] = useState<Part | null>(null);
  const id = useId();
  const [diff, changeId] = [readDiffLink(item), readImpactLink(item)];
  const parts = [
    ...(diff ? ['diff' as const] : []),
    ...(changeId === null ? [] : ['impact' as const]),
  ];
  if (parts.length === 0) return null;
  return (
    <>
      <div className={styles.openers}>
        {parts.map((part) => (
          <button
            key={part}
            type="button"
            className={styles.opener}
            aria-expanded={open === part}
            aria-controls={`${id}-${part}`}
            aria-label={`${t(`timeline.open.${part}`)}: ${title}`}
            onClick={() => setOpen(open === part ? null : part)}
          >
            {t(`timeline.open.${part}`)}
            <ChevronDown size={14} aria-hidden />
          </button>
        ))}
      </div>
      {open === 'diff' && diff && (
        <div id={`${id}-diff`} className={styles.part}>
          <ChangeDiff appId={appId} a={diff.a} b={diff.b} />
        </div>
      )}
      {open === 'impact' && changeId !== null && (
        <div id={`${id}-impact`} className={styles.part}>
          <ImpactPanel changeId={changeId} />
        </div>
      )}
    </>
  );
}
