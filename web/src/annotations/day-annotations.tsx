import { Popover } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { formatDay } from '#web/format.ts';
import { isComposing } from '#web/keys/is-composing.ts';
import { annotationsQuery } from '#web/queries/annotations.ts';
import type { OpenDay } from '#web/components/chart/chart.tsx';
import { Loaded } from '#web/components/loaded.tsx';
import { useFocusReturn } from '#web/use-focus-return.ts';
import { AddAnnotationButton } from './add-annotation.tsx';
import { AnnotationForm } from './annotation-form.tsx';
import { AnnotationRow } from './annotation-row.tsx';
import styles from './annotations.module.css';
import { useAnnotationActions } from './use-annotation-actions.ts';

export interface Annotated {
  appId: number;
  /** Set where an annotation can be limited to a keyword. */
  keywordId?: number;
}

/** The annotations of a day in place: below its column of a chart. */
export function DayAnnotations({ day, values, x, y, onClose, ...of }: OpenDay & Annotated) {
  const { t } = useTranslation();
  useFocusReturn();
  return (
    <Popover
      opened
      onChange={(opened) => !opened && onClose()}
      position="bottom"
      width={340}
      withRoles={false}
      trapFocus
      closeOnEscape={false}
      // Hidden while its day is scrolled away, it would keep the focus and say nothing.
      hideDetached={false}
      shadow="md"
      withArrow
    >
      <Popover.Target>
        <span className={styles.anchor} style={{ left: x, top: y }} />
      </Popover.Target>
      <Popover.Dropdown
        role="dialog"
        aria-label={t('annotation.ofDay', { day: formatDay(day, true) })}
        className={styles.ofDay}
        onKeyDownCapture={(event) => {
          // Mantine would close it while an input method is composing, too.
          if (event.key === 'Escape' && !isComposing(event.nativeEvent)) onClose();
        }}
      >
        <p className={styles.values}>
          {values
            .filter(([kind]) => kind !== 'mark')
            .slice(0, 2)
            .map(([, text]) => text)
            .join(' · ')}
        </p>
        <Notes key={day} day={day} onClose={onClose} {...of} />
      </Popover.Dropdown>
    </Popover>
  );
}

function Notes({
  day,
  appId,
  keywordId,
  onClose,
}: Annotated & { day: string; onClose: () => void }) {
  const { t } = useTranslation();
  const query = useQuery(annotationsQuery(appId, day, day));
  const actions = useAnnotationActions(appId);
  const [adding, setAdding] = useState(false);
  return (
    <Loaded query={query} height={72}>
      {({ items }) => {
        const notes = items.filter(
          ({ keywordIds }) =>
            keywordIds.length === 0 || keywordId === undefined || keywordIds.includes(keywordId),
        );
        return (
          <>
            {notes.length > 0 ? (
              <ul className={styles.list}>
                {notes.map((note) => (
                  <li key={note.id}>
                    <AnnotationRow note={note} actions={actions} keywordId={keywordId} withoutDay />
                  </li>
                ))}
              </ul>
            ) : (
              !adding && <p className="muted">{t('annotation.noneOfDay')}</p>
            )}
            {adding ? (
              <AnnotationForm
                name={`note-of-day.${appId}.${keywordId ?? ''}.${day}`}
                initial={{ date: day, text: '', keywordIds: keywordId ? [keywordId] : [] }}
                keywordId={keywordId}
                saving={actions.add.isPending}
                onSave={(draft) => actions.add.mutateAsync(draft)}
                onSaved={onClose}
                onCancel={() => setAdding(false)}
              />
            ) : (
              <div className={styles.buttons}>
                <AddAnnotationButton opened={adding} onOpen={() => setAdding(true)} />
              </div>
            )}
          </>
        );
      }}
    </Loaded>
  );
}
