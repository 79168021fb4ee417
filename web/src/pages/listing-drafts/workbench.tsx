import { Button, SegmentedControl, Select, Switch, Tooltip } from '@mantine/core';
import { useDebouncedValue } from '@mantine/hooks';
import { keepPreviousData, useQuery, useQueryClient } from '@tanstack/react-query';
import { FilePenLine, Save } from 'lucide-react';
import { useMemo } from 'react';
import { useTranslation } from 'react-i18next';
import type { DraftField } from '#contract/listing-drafts.ts';
import { localesOf } from '#listing-files/locales.ts';
import { limitOf } from '#listing-lint/text-limits.ts';
import type { Store } from '#web/api.ts';
import { Card } from '#web/components/card.tsx';
import { EmptyState } from '#web/components/empty-state.tsx';
import { ErrorNotice } from '#web/components/error-notice.tsx';
import { Loaded } from '#web/components/loaded.tsx';
import { showUndo } from '#web/components/toasts/toasts.tsx';
import { useScope } from '#web/frame/use-scope.ts';
import {
  coveragePreviewQuery,
  draftsQuery,
  type DraftWithTexts,
  type LiveListing,
} from '#web/queries/listing-drafts.ts';
import { membersQuery } from '#web/queries/member-names.ts';
import { useWriteAccess } from '#web/queries/write-guard.ts';
import { marketOf } from '#web/scope.ts';
import { useSearchChoice } from '#web/search-value.ts';
import { useDraft } from '#web/use-draft.ts';
import { CoverageCard } from './coverage-card.tsx';
import {
  fieldGroups,
  listSearched,
  readState,
  splitState,
  stateOf,
  stateOfLive,
  writeState,
  type DraftState,
} from './draft-state.ts';
import { findLive } from './find-live.ts';
import { lintDraft, toolOf } from './lint-draft.ts';
import styles from './listing-drafts-page.module.css';
import { LocaleRow } from './locale-row.tsx';
import { indexWords } from './mark-words.ts';
import { useSaveDraft } from './use-save-draft.ts';
import { VersionsCard } from './versions-card.tsx';
import { ZipButtons } from './zip/zip-buttons.tsx';

interface Props {
  appId: number;
  store: Store;
  draft: DraftWithTexts;
  live: readonly LiveListing[];
}

const groups = ['search', 'page'] as const;

/** The searched texts of the locales that differ from the saved ones; none of a removed locale. */
const searchedOf = (store: Store, state: DraftState, saved: DraftState) =>
  [...new Set([...Object.keys(state), ...Object.keys(saved)])]
    .filter((locale) => JSON.stringify(state[locale]) !== JSON.stringify(saved[locale]))
    .map((locale) => ({
      locale,
      ...Object.fromEntries(
        listSearched(store).flatMap((field) => {
          const text = state[locale]?.[field];
          return text === undefined ? [] : [[field, text]];
        }),
      ),
    }));

/** All locales of a draft in one grid, with checks, the live texts and the coverage. */
export function Workbench({ appId, store, draft: saved, live }: Props) {
  const { t } = useTranslation();
  const market = marketOf(useScope());
  const queryClient = useQueryClient();
  const { canWrite, reason } = useWriteAccess();
  const [group, setGroup] = useSearchChoice('texts', groups);
  const [compared, setCompared] = useSearchChoice('live', ['off', 'on']);
  const { data: members } = useQuery(membersQuery);
  const savedText = writeState(stateOf(saved));
  const draft = useDraft(`listing-draft.${saved.id}`, savedText, saved.etag);
  const added = useDraft(`listing-draft.${saved.id}.added`, writeState({}));
  const state = useMemo(
    () => ({ ...readState(added.text), ...readState(draft.text) }),
    [added.text, draft.text],
  );
  const save = useSaveDraft(appId, saved.id, draft);
  const [idle] = useDebouncedValue(state, 350);
  const findings = useMemo(() => lintDraft(store, state, live), [store, state, live]);
  const preview = useQuery({
    ...coveragePreviewQuery(appId, {
      market,
      draft: { id: saved.id, lastVersionId: saved.lastVersionId },
      locales: searchedOf(store, idle, readState(savedText)),
    }),
    placeholderData: keepPreviousData,
  });
  const words = useMemo(() => indexWords(preview.data?.phrases ?? []), [preview.data]);
  const indexed = new Set(preview.data?.locales.map(({ locale }) => locale));
  const isOfStore = (field: DraftField) => limitOf(store, toolOf(store), field) !== undefined;
  const fields = fieldGroups[group].filter(isOfStore);
  const locales = Object.keys(state).toSorted();
  const change = (next: DraftState) => {
    const { written, empty } = splitState(next);
    added.change(writeState(empty));
    draft.change(writeState(written));
  };
  const without = (locale: string) =>
    Object.fromEntries(Object.entries(state).filter(([name]) => name !== locale));
  const fromLive = () => change({ ...stateOfLive(store, live), ...state });
  const errors = findings.filter(({ level }) => level === 'error').length;
  const why = canWrite ? (draft.isChanged ? undefined : t('listingDrafts.unchanged')) : reason;
  const nameOf = (id: number | null | undefined) =>
    members?.items.find((member) => member.id === id)?.email;
  return (
    <div className={styles.stack}>
      <Card
        title={t('listingDrafts.grid', { name: saved.name })}
        lead={t('listingDrafts.gridLead', { count: locales.length })}
      >
        <div className={styles.tools}>
          <SegmentedControl
            size="xs"
            aria-label={t('listingDrafts.group')}
            value={group}
            onChange={setGroup}
            data={groups.map((value) => ({ value, label: t(`listingDrafts.groups.${value}`) }))}
          />
          <Switch
            label={t('listingDrafts.compare')}
            checked={compared === 'on'}
            onChange={({ currentTarget: { checked } }) => setCompared(checked ? 'on' : 'off')}
          />
          <Select
            aria-label={t('listingDrafts.addLocale')}
            placeholder={t('listingDrafts.addLocale')}
            searchable
            disabled={!canWrite}
            data={localesOf(store).filter((locale) => !(locale in state))}
            value={null}
            onChange={(locale) => locale && change({ ...state, [locale]: {} })}
          />
          <Tooltip label={why} disabled={why === undefined}>
            <Button
              className="touch"
              leftSection={<Save size={15} aria-hidden />}
              loading={save.isPending}
              data-disabled={why !== undefined || undefined}
              aria-disabled={why !== undefined}
              onClick={() => why === undefined && save.mutate()}
            >
              {t('listingDrafts.save')}
            </Button>
          </Tooltip>
          <ZipButtons
            draft={saved}
            store={store}
            why={draft.isChanged ? t('listingDrafts.saveFirst') : undefined}
            onSaved={() =>
              void queryClient.invalidateQueries({ queryKey: draftsQuery(appId).queryKey })
            }
          />
          {draft.isChanged && (
            <Button
              className="touch"
              variant="subtle"
              onClick={() => {
                draft.forget();
                added.forget();
                showUndo(t('listingDrafts.discarded'), () => change(state));
              }}
            >
              {t('listingDrafts.discard')}
            </Button>
          )}
        </div>
        <p className={styles.summary} aria-live="polite">
          <span data-change={errors > 0 ? 'lost' : undefined}>
            {t('listingDrafts.errors', { count: errors })}
          </span>
          <span>{t('listingDrafts.notes', { count: findings.length - errors })}</span>
          {draft.isChanged && <span>{t('listingDrafts.unsaved')}</span>}
        </p>
        {save.error && <ErrorNotice error={save.error} />}
        {locales.length > 0 && group === 'search' && (
          <p className={styles.legend}>
            {(['top', 'ranked', 'unranked'] as const).map((level) => (
              <mark key={level} data-level={level}>
                {t(`listingDrafts.legend.${level}`)}
              </mark>
            ))}
          </p>
        )}
        {locales.length === 0 ? (
          <EmptyState
            icon={FilePenLine}
            title={t('listingDrafts.emptyTitle')}
            text={t('listingDrafts.emptyText')}
          >
            {live.length > 0 && (
              <Button className="touch" disabled={!canWrite} title={reason} onClick={fromLive}>
                {t('listingDrafts.fromLive')}
              </Button>
            )}
          </EmptyState>
        ) : (
          locales.map((locale) => {
            const known = saved.texts.find((one) => one.locale === locale);
            return (
              <LocaleRow
                key={locale}
                store={store}
                locale={locale}
                texts={state[locale]!}
                live={findLive(live, locale)}
                fields={fields}
                findings={findings.filter((finding) => finding.locale === locale)}
                words={indexed.has(locale) ? words : null}
                savedAt={known?.savedAt}
                savedBy={nameOf(known?.savedBy)}
                isCompared={compared === 'on'}
                disabled={!canWrite}
                onChange={(field, text) =>
                  change({ ...state, [locale]: { ...state[locale], [field]: text } })
                }
                onRemove={() => change(without(locale))}
              />
            );
          })
        )}
      </Card>
      <Loaded query={preview} height={420}>
        {(coverage) => <CoverageCard store={store} coverage={coverage} />}
      </Loaded>
      <VersionsCard
        draftId={saved.id}
        onRestore={
          canWrite
            ? ({ locale, texts }) => change({ ...without(locale), [locale]: texts })
            : undefined
        }
      />
    </div>
  );
}
