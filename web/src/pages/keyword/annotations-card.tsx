import { useQuery } from '@tanstack/react-query';
import { useSearch } from '@tanstack/react-router';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { Keyword } from '#web/api.ts';
import { Card } from '#web/components/card.tsx';
import { Loaded } from '#web/components/loaded.tsx';
import { AddAnnotationButton } from '#web/annotations/add-annotation.tsx';
import { AnnotationForm } from '#web/annotations/annotation-form.tsx';
import { AnnotationRow } from '#web/annotations/annotation-row.tsx';
import styles from '#web/annotations/annotations.module.css';
import { useAnnotationActions } from '#web/annotations/use-annotation-actions.ts';
import { annotationsQuery } from '#web/queries/annotations.ts';
import { isPast, readScope, spanOfScope } from '#web/scope.ts';

export function AnnotationsCard({ keyword }: { keyword: Keyword }) {
  const { t } = useTranslation();
  const span = spanOfScope(readScope(useSearch({ strict: false })));
  const query = useQuery(
    annotationsQuery(keyword.appId, span.from, isPast(span) ? span.to : undefined),
  );
  const actions = useAnnotationActions(keyword.appId);
  const [adding, setAdding] = useState(false);
  return (
    <Card
      title={t('annotation.title')}
      lead={t('annotation.lead')}
      action={<AddAnnotationButton opened={adding} onOpen={() => setAdding(true)} />}
    >
      {adding && (
        <AnnotationForm
          key={keyword.id}
          name={`note-of-keyword.${keyword.id}`}
          initial={{ date: span.to, text: '', keywordIds: [keyword.id] }}
          keywordId={keyword.id}
          saving={actions.add.isPending}
          onSave={(draft) => actions.add.mutateAsync(draft)}
          onSaved={() => setAdding(false)}
          onCancel={() => setAdding(false)}
        />
      )}
      <Loaded query={query} height={72}>
        {({ items }) => {
          const notes = items.filter(
            ({ keywordIds }) => keywordIds.length === 0 || keywordIds.includes(keyword.id),
          );
          if (notes.length === 0)
            return adding ? null : <p className="muted">{t('annotation.none')}</p>;
          return (
            <ul className={styles.list}>
              {notes.map((note) => (
                <li key={note.id}>
                  <AnnotationRow note={note} actions={actions} keywordId={keyword.id} />
                </li>
              ))}
            </ul>
          );
        }}
      </Loaded>
    </Card>
  );
}
