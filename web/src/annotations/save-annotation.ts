import { call } from '#web/api.ts';
import { saveVersioned, unknownEtag } from '#web/conflict/save-versioned.ts';
import { formatDay } from '#web/format.ts';
import { i18next } from '#web/i18n.ts';
import { findAnnotation, type Note } from '#web/queries/annotations.ts';
import type { DraftBase } from '#web/use-draft.ts';

export interface AnnotationDraft {
  date: string;
  text: string;
  /** Empty for an annotation of the whole app. */
  keywordIds: number[];
}

/** An annotation as its editor read it; lists of other things do not have its ETag. */
export type ReadAnnotation = Omit<Note, 'etag' | 'createdAt'> & { etag?: string };

const pick = ({ date, text, keywordIds }: AnnotationDraft) => ({ date, text, keywordIds });

/** Saves an edited annotation, unless somebody else has changed the same since it was read. */
export function saveAnnotation(
  { id, appId, ...note }: ReadAnnotation,
  draft: AnnotationDraft,
  { text, etag }: DraftBase,
) {
  const formatField = (name: keyof AnnotationDraft, of: AnnotationDraft) => {
    if (name === 'text') return of.text;
    if (name === 'date') return formatDay(of.date, true);
    const count = of.keywordIds.length;
    return count === 0
      ? i18next.t('annotation.wholeApp')
      : i18next.t('annotation.keywords', { count });
  };
  const labels = {
    date: i18next.t('annotation.day'),
    text: i18next.t('annotation.text'),
    keywordIds: i18next.t('annotation.appliesTo'),
  };
  return saveVersioned<AnnotationDraft & Record<string, unknown>, unknown>({
    base: { fields: { ...pick(note), text }, etag: etag ?? unknownEtag },
    mine: pick(draft),
    async read() {
      // The next write reports an annotation that is gone.
      const found = (await findAnnotation(appId, id)) ?? { ...note, etag: unknownEtag };
      return { fields: pick(found), etag: found.etag };
    },
    write: (fields, { ifMatch, changed }) =>
      call('PATCH /annotations/{id}', {
        params: { id },
        body: Object.fromEntries(changed.map((name) => [name, fields[name]])),
        ifMatch,
      }),
    describe: (name, theirs, mine) => ({
      label: labels[name as keyof AnnotationDraft],
      theirs: formatField(name as keyof AnnotationDraft, theirs),
      mine: formatField(name as keyof AnnotationDraft, mine),
    }),
  });
}
