import { Button, Tooltip } from '@mantine/core';
import { useDebouncedValue } from '@mantine/hooks';
import { keepPreviousData, useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { useSearch } from '@tanstack/react-router';
import type { TFunction } from 'i18next';
import { Copy, Download, Save } from 'lucide-react';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { call, type Answer } from '../../api.ts';
import { Card } from '../../components/card.tsx';
import { copyAndTell } from '../../components/copy-and-tell.ts';
import { ErrorNotice } from '../../components/error-notice.tsx';
import { Loaded } from '../../components/loaded.tsx';
import { isTooLong } from '../../components/phrase-rules.ts';
import { showDone, showUndo } from '../../components/toasts.tsx';
import { fieldPreviewQuery, fieldQuery } from '../../queries/keyword-field.ts';
import { useWriteGuard } from '../../queries/write-guard.ts';
import { saveFile } from '../../save-file.ts';
import { readScope } from '../../scope.ts';
import { useDraft } from '../../use-draft.ts';
import { Analysis } from './analysis.tsx';
import { Counter } from './counter.tsx';
import { FieldFacts } from './field-facts.tsx';
import { FieldInput } from './field-input.tsx';
import styles from './keyword-field-page.module.css';
import { normalise, type Normalised } from './normalise.ts';

type Field = Answer<'GET /apps/{id}/keyword-field'>;
/** About what the analysis takes, so that what is below it stays where it is. */
export const analysisHeight = 480;

/** What saving would be refused for. */
function findFault(
  { length, phrases }: Normalised,
  limit: number,
  t: TFunction,
): string | undefined {
  if (length > limit) return t('keywordField.tooLong', { count: length - limit });
  const faulty = phrases.filter(isTooLong);
  return faulty.length > 0
    ? t('add.tooLong', { count: faulty.length, phrase: faulty[0] })
    : undefined;
}

/** The field as it is written, what the store would count of it, and what each word is worth. */
export function Editor({ appId, field }: { appId: number; field: Field }) {
  const { t } = useTranslation();
  const queryClient = useQueryClient();
  const { country } = readScope(useSearch({ strict: false }));
  const { canWrite, reason } = useWriteGuard();
  const draft = useDraft(`keyword-field.${appId}.${field.locale}`, field.text);
  const { text, isChanged } = draft;
  const [asked] = useDebouncedValue(text, 350);
  const normalised = normalise(text);
  const fault = findFault(normalised, field.limit, t);
  // What saving would refuse is not analysed: the last that could be saved stays.
  const [analysed, setAnalysed] = useState(field.text);
  if (asked !== analysed && findFault(normalise(asked), field.limit, t) === undefined)
    setAnalysed(asked);
  const preview = useQuery({
    ...fieldPreviewQuery(appId, { text: analysed, locale: field.locale, country }),
    placeholderData: keepPreviousData,
  });
  const save = useMutation({
    mutationFn: () =>
      call('PUT /apps/{id}/keyword-field', {
        params: { id: appId },
        body: { text, locale: field.locale },
      }),
    onSuccess: (saved) => {
      queryClient.setQueryData(fieldQuery(appId, field.locale).queryKey, saved);
      draft.forget(saved.text);
      void queryClient.invalidateQueries({ queryKey: ['apps', appId, 'keyword-field-history'] });
      showDone(t('keywordField.saved'));
    },
  });
  const why = canWrite ? (fault ?? (isChanged ? undefined : t('keywordField.unchanged'))) : reason;
  const add = (term: string) =>
    draft.change(text.trim() === '' ? term : `${text.trim().replace(/,$/, '')},${term}`);
  const discard = () => {
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
        <div className={styles.buttons}>
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
            onClick={() => void copyAndTell(normalised.text, t('keywordField.copied'))}
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
      {fault !== undefined && <p className="muted">{t('keywordField.ofLast')}</p>}
      <Loaded query={preview} height={analysisHeight}>
        {(analysis) => (
          <Analysis
            appId={appId}
            analysis={analysis}
            onAdd={canWrite ? add : undefined}
            isStale={preview.isPlaceholderData}
          />
        )}
      </Loaded>
    </>
  );
}
