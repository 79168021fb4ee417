import { Button, Tooltip } from '@mantine/core';
import { useDebouncedValue } from '@mantine/hooks';
import { keepPreviousData, useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import type { TFunction } from 'i18next';
import { Copy, Download, Save } from 'lucide-react';
import { useRef, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { callVersioned, type ResponseOf, type Versioned } from '#web/api.ts';
import { Card } from '#web/components/card.tsx';
import { copyWithToast } from '#web/components/copy-with-toast.ts';
import { ErrorNotice } from '#web/components/error-notice.tsx';
import { Loaded } from '#web/components/loaded.tsx';
import { describeTooLong } from '#web/components/describe-too-long.ts';
import { isTooLong } from '#web/components/phrase-rules.ts';
import { saveVersioned } from '#web/conflict/save-versioned.ts';
import { showSuccess, showUndo } from '#web/components/toasts/toasts.tsx';
import { useScope } from '#web/frame/use-scope.ts';
import { fieldPreviewQuery, fieldQuery } from '#web/queries/keyword-field.ts';
import { useWriteAccess } from '#web/queries/write-guard.ts';
import { saveFile } from '#web/save-file.ts';
import { marketOf } from '#web/scope.ts';
import { useDraft } from '#web/use-draft.ts';
import { useErrorAfterLeaving } from '#web/use-error-after-leaving.ts';
import { Analysis } from './analysis.tsx';
import { Counter } from './counter.tsx';
import { FieldFacts } from './field-facts.tsx';
import { FieldInput } from './field-input.tsx';
import styles from './keyword-field-page.module.css';
import { dropWord, normalise, type Normalised } from './normalise.ts';

type Field = Versioned<ResponseOf<'GET /apps/{id}/keyword-field'>>;
/** About the height of the analysis, so that the content below does not shift. */
export const analysisHeight = [591, 896] as const;

/** The reason why the API would reject the field. */
function validateField(normalised: Normalised, limit: number, t: TFunction): string | undefined {
  const { length } = normalised;
  if (length > limit) return t('keywordField.tooLong', { count: length - limit });
  return describeTooLong(normalised.phrases, t) ?? undefined;
}

/** The editor of the keyword field with its counter and live analysis. */
export function Editor({ appId, field }: { appId: number; field: Field }) {
  const { t } = useTranslation();
  const queryClient = useQueryClient();
  const market = marketOf(useScope());
  const { canWrite, reason } = useWriteAccess();
  const draft = useDraft(`keyword-field.${appId}.${field.locale}`, field.text, field.etag);
  const { text, isChanged } = draft;
  const [asked] = useDebouncedValue(text, 350);
  const normalised = normalise(text);
  const fault = validateField(normalised, field.limit, t);
  // Text that is too long is analyzed too, to show what can be removed. While a phrase is invalid,
  // the analysis of the last valid text stays.
  const isOfLast = normalised.phrases.some(isTooLong);
  const [analysed, setAnalysed] = useState(field.text);
  if (asked !== analysed && !normalise(asked).phrases.some(isTooLong)) setAnalysed(asked);
  const preview = useQuery({
    ...fieldPreviewQuery(appId, { text: analysed, locale: field.locale, market }),
    placeholderData: keepPreviousData,
  });
  const query = fieldQuery(appId, field.locale);
  const save = useMutation({
    mutationFn: () =>
      saveVersioned({
        base: { fields: { text: draft.base.text }, etag: draft.base.etag },
        mine: { text },
        read: async () => {
          const newest = await queryClient.fetchQuery({ ...query, staleTime: 0 });
          return { fields: { text: newest.text }, etag: newest.etag };
        },
        write: (fields, { ifMatch }) =>
          callVersioned('PUT /apps/{id}/keyword-field', {
            params: { id: appId },
            body: { ...fields, locale: field.locale },
            ifMatch,
          }),
        describe: (_name, theirs, mine) => ({
          label: t('keywordField.title'),
          theirs: theirs.text,
          mine: mine.text,
        }),
      }),
    onSuccess(outcome) {
      if (outcome.kind === 'cancelled') return;
      if (outcome.kind === 'taken') {
        draft.forget();
        return;
      }
      queryClient.setQueryData(query.queryKey, outcome.saved);
      draft.forget(outcome.saved.text);
      for (const list of ['keyword-field-history', 'live-listings', 'coverage-preview'])
        void queryClient.invalidateQueries({ queryKey: ['apps', appId, list] });
      showSuccess(t('keywordField.saved'));
    },
    onError: useErrorAfterLeaving(),
  });
  const why = canWrite ? (fault ?? (isChanged ? undefined : t('keywordField.unchanged'))) : reason;
  const add = (term: string) =>
    draft.change(text.trim() === '' ? term : `${text.trim().replace(/,$/, '')},${term}`);
  const buttons = useRef<HTMLDivElement>(null);
  const discard = () => {
    // The button of the draft goes with it.
    buttons.current?.querySelector('button')?.focus();
    draft.forget();
    showUndo(t('keywordField.discarded'), () => draft.change(text));
  };
  return (
    <>
      <Card
        title={t('keywordField.write')}
        lead={t('keywordField.writeLead', { locale: field.locale })}
        action={<Counter used={normalised.length} limit={field.limit} />}
      >
        <FieldInput text={text} onChange={draft.change} disabled={!canWrite} error={fault} />
        <FieldFacts normalised={normalised} />
        {isChanged && <p className={styles.unsaved}>{t('keywordField.draft')}</p>}
        {save.error && <ErrorNotice error={save.error} />}
        <div ref={buttons} className={styles.buttons}>
          <Tooltip label={why} disabled={why === undefined}>
            <Button
              className="touch"
              leftSection={<Save size={15} aria-hidden />}
              loading={save.isPending}
              data-disabled={why !== undefined || undefined}
              aria-disabled={why !== undefined}
              onClick={() => why === undefined && save.mutate()}
            >
              {t('keywordField.save')}
            </Button>
          </Tooltip>
          <Button
            className="touch"
            variant="default"
            leftSection={<Copy size={15} aria-hidden />}
            onClick={() => void copyWithToast(normalised.text, t('keywordField.copied'))}
          >
            {t('keywordField.copy')}
          </Button>
          <Button
            className="touch"
            variant="default"
            leftSection={<Download size={15} aria-hidden />}
            onClick={() => saveFile('keywords.txt', `${normalised.text}\n`)}
          >
            {t('keywordField.fastlane')}
          </Button>
          {isChanged && (
            <Button className="touch" variant="subtle" onClick={discard}>
              {t('keywordField.discard')}
            </Button>
          )}
        </div>
      </Card>
      {isOfLast && <p className="muted">{t('keywordField.ofLast')}</p>}
      <Loaded query={preview} height={analysisHeight}>
        {(analysis) => (
          <Analysis
            appId={appId}
            analysis={analysis}
            onAdd={canWrite ? add : undefined}
            onDrop={
              canWrite ? (term, number) => draft.change(dropWord(text, term, number)) : undefined
            }
            isStale={preview.isPlaceholderData}
          />
        )}
      </Loaded>
    </>
  );
}
