import { Skeleton, TextInput } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useParams } from '@tanstack/react-router';
import { TextCursorInput } from 'lucide-react';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { listingTexts, profileOf, storefrontLocaleOf } from '#stores/profiles.ts';
import { EmptyState } from '#web/components/empty-state.tsx';
import { Loaded } from '#web/components/loaded.tsx';
import { Waiting } from '#web/components/waiting.tsx';
import { PageHead } from '#web/components/page-head.tsx';
import { useCurrentApp } from '#web/frame/current-app.ts';
import { formatList } from '#web/format.ts';
import { fieldQuery } from '#web/queries/keyword-field.ts';
import { useSearchValue } from '#web/search-value.ts';
import { analysisHeight, Editor } from './editor.tsx';
import { HistoryCard } from './history-card.tsx';
import styles from './keyword-field-page.module.css';

const localeShape = /^[A-Za-z]{2,8}(-[A-Za-z0-9]{1,8})*$/;

export function KeywordFieldPage() {
  const { t } = useTranslation();
  const appId = Number(useParams({ strict: false }).appId) || 0;
  const app = useCurrentApp();
  const [asked, setLocale] = useSearchValue('locale');
  const first = app && storefrontLocaleOf(app.store, app.primaryCountry);
  const usualLocale = first ?? 'en-US';
  const locale = asked && localeShape.test(asked) ? asked : usualLocale;
  const [text, setText] = useState(locale);
  const [shown, setShown] = useState(locale);
  // The address changes by Back and by saved views, too. The input stays and keeps its focus.
  if (shown !== locale) {
    setShown(locale);
    setText(locale);
  }
  const isWrong = text !== '' && !localeShape.test(text);
  if (!app) return <Skeleton height={560} radius={14} />;
  const { name, texts } = profileOf(app.store);
  if (texts.keywordField === null)
    return (
      <>
        <PageHead title={t('keywordField.title')} />
        <EmptyState
          icon={TextCursorInput}
          title={t('keywordField.noneTitle', { store: name })}
          text={t('keywordField.noneText', {
            store: name,
            texts: formatList(
              listingTexts
                .filter((item) => texts[item]?.isSearched)
                .map((item) => t(`listingText.${item}`)),
              'long',
            ),
          })}
        />
      </>
    );
  return (
    <>
      <PageHead title={t('keywordField.title')} lead={t('keywordField.lead')}>
        <TextInput
          aria-label={t('keywordField.locale')}
          className={styles.locale}
          value={text}
          maxLength={35}
          error={isWrong ? t('keywordField.badLocale') : undefined}
          onChange={(event) => setText(event.currentTarget.value.trim())}
          onBlur={() => !isWrong && setLocale(text === usualLocale ? null : text)}
          onKeyDown={(event) =>
            event.key === 'Enter' && !isWrong && setLocale(text === usualLocale ? null : text)
          }
        />
      </PageHead>
      <FieldOf
        key={`${appId} ${locale}`}
        appId={appId}
        locale={locale}
        limit={texts.keywordField.max}
      />
    </>
  );
}

function FieldSkeleton() {
  return (
    <>
      <Waiting height={[289, 488]} />
      <Waiting height={analysisHeight} />
    </>
  );
}

function FieldOf({ appId, locale, limit }: { appId: number; locale: string; limit: number }) {
  const query = useQuery(fieldQuery(appId, locale));
  return (
    <div className={styles.stack}>
      <Loaded query={query} waiting={<FieldSkeleton />}>
        {(field) => <Editor appId={appId} field={field} />}
      </Loaded>
      <HistoryCard appId={appId} locale={locale} limit={limit} />
    </div>
  );
}
