import { Button, Textarea, Tooltip } from '@mantine/core';
import { useDebouncedValue } from '@mantine/hooks';
import { keepPreviousData, useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { useSearch } from '@tanstack/react-router';
import { Copy, Download, Save } from 'lucide-react';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { call, type Answer } from '../../api.ts';
import { Card } from '../../components/card.tsx';
import { copyAndTell } from '../../components/copy-and-tell.ts';
import { ErrorNotice } from '../../components/error-notice.tsx';
import { Loaded } from '../../components/loaded.tsx';
import { showDone } from '../../components/toasts.tsx';
import { fieldPreviewQuery, fieldQuery } from '../../queries/keyword-field.ts';
import { useWriteGuard } from '../../queries/write-guard.ts';
import { saveFile } from '../../save-file.ts';
import { readScope } from '../../scope.ts';
import { Analysis } from './analysis.tsx';
import { Counter } from './counter.tsx';
import styles from './keyword-field-page.module.css';
import { normalise } from './normalise.ts';

type Field = Answer<'GET /apps/{id}/keyword-field'>;
const mostAsSent = 1_000;
/** About what the analysis takes, so that what is below it stays where it is. */
export const analysisHeight = 480;

/** The field as it is written, what the store would count of it, and what each word is worth. */
export function Editor({ appId, field }: { appId: number; field: Field }) {
  const { t } = useTranslation();
  const queryClient = useQueryClient();
  const { country } = readScope(useSearch({ strict: false }));
  const { canWrite, reason } = useWriteGuard();
  const [text, setText] = useState(field.text);
  const [asked] = useDebouncedValue(text, 350);
  const normalised = normalise(text);
  const isTooLong = normalised.length > field.limit;
  const preview = useQuery({
    ...fieldPreviewQuery(appId, { text: asked, locale: field.locale, country }),
    enabled: normalise(asked).length <= field.limit && [...asked].length <= mostAsSent,
    placeholderData: keepPreviousData,
  });
  const save = useMutation({
    mutationFn: () => call('PUT /apps/{id}/keyword-field', { params: { id: appId }, body: { text, locale: field.locale } }),
    onSuccess: (saved) => {
      queryClient.setQueryData(fieldQuery(appId, field.locale).queryKey, saved);
      void queryClient.invalidateQueries({ queryKey: ['apps', appId, 'keyword-field-history'] });
      showDone(t('keywordField.saved'));
    },
  });
  const isChanged = text !== field.text;
  const why = !canWrite
    ? reason
    : isTooLong
      ? t('keywordField.tooLong', { count: normalised.length - field.limit })
      : !isChanged
        ? t('keywordField.unchanged')
        : undefined;
  const add = (term: string) => setText(text.trim() === '' ? term : `${text.trim().replace(/,$/, '')},${term}`);
  return (
    <>
      <Card
        title={t('keywordField.write')}
        lead={t('keywordField.writeLead', { locale: field.locale })}
        action={<Counter used={normalised.length} limit={field.limit} />}
      >
        <Textarea
          aria-label={t('keywordField.title')}
          value={text}
          maxLength={mostAsSent}
          autosize
          minRows={3}
          disabled={!canWrite}
          error={isTooLong ? t('keywordField.tooLong', { count: normalised.length - field.limit }) : undefined}
          onChange={(event) => setText(event.currentTarget.value)}
        />
        <p className={styles.counted}>
          <span className="muted">{t('keywordField.counted')}</span> <code>{normalised.text || '–'}</code>
        </p>
        {normalised.removed.length > 0 && <p className="muted">{t('keywordField.removed', { words: normalised.removed.join(', ') })}</p>}
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
        </div>
      </Card>
      <Loaded query={preview} height={analysisHeight}>
        {(analysis) => <Analysis analysis={analysis} onAdd={canWrite ? add : undefined} isStale={preview.isPlaceholderData} />}
      </Loaded>
    </>
  );
}
