import { useQuery } from '@tanstack/react-query';
import { useSearch } from '@tanstack/react-router';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { Keyword } from '../../api.ts';
import { Card } from '../../components/card.tsx';
import { Loaded } from '../../components/loaded.tsx';
import { AddNoteButton } from '../../components/notes/add-note.tsx';
import { NoteForm } from '../../components/notes/note-form.tsx';
import { NoteRow } from '../../components/notes/note-row.tsx';
import styles from '../../components/notes/notes.module.css';
import { useNoteActions } from '../../components/notes/use-notes.ts';
import { notesQuery } from '../../queries/annotations.ts';
import { isPast, readScope, spanOfScope } from '../../scope.ts';

/** What this workspace noted on the days of the chart, for the keyword or the whole app. */
export function NotesCard({ keyword }: { keyword: Keyword }) {
  const { t } = useTranslation();
  const span = spanOfScope(readScope(useSearch({ strict: false })));
  const query = useQuery(notesQuery(keyword.appId, span.from, isPast(span) ? span.to : undefined));
  const actions = useNoteActions(keyword.appId);
  const [adding, setAdding] = useState(false);
  return (
    <Card
      title={t('note.title')}
      lead={t('note.lead')}
      action={<AddNoteButton opened={adding} onOpen={() => setAdding(true)} />}
    >
      {adding && (
        <NoteForm
          name={`note-of-keyword.${keyword.id}`}
          initial={{ date: span.to, text: '', keywordIds: [keyword.id] }}
          keywordId={keyword.id}
          saving={actions.add.isPending}
          onSave={(draft) => actions.add.mutateAsync(draft).then(() => setAdding(false))}
          onCancel={() => setAdding(false)}
        />
      )}
      <Loaded query={query} height={72}>
        {({ items }) => {
          const notes = items.filter(
            ({ keywordIds }) => keywordIds.length === 0 || keywordIds.includes(keyword.id),
          );
          if (notes.length === 0) return adding ? null : <p className="muted">{t('note.none')}</p>;
          return (
            <ul className={styles.list}>
              {notes.map((note) => (
                <li key={note.id}>
                  <NoteRow note={note} actions={actions} keywordId={keyword.id} />
                </li>
              ))}
            </ul>
          );
        }}
      </Loaded>
    </Card>
  );
}
