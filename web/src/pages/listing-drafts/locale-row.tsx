import { ActionIcon } from '@mantine/core';
import { X } from 'lucide-react';
import { useTranslation } from 'react-i18next';
import type { DraftField } from '#contract/listing-drafts.ts';
import type { Finding } from '#listing-lint/finding.ts';
import { limitOf } from '#listing-lint/text-limits.ts';
import type { Store } from '#web/api.ts';
import { Ago } from '#web/components/ago.tsx';
import { formatCountry } from '#web/format.ts';
import type { CoveredPhrase, LiveListing } from '#web/queries/listing-drafts.ts';
import { listSearched, type Texts } from './draft-state.ts';
import { toolOf } from './lint-draft.ts';
import styles from './listing-drafts-page.module.css';
import { markWords } from './mark-words.ts';
import { TextCell } from './text-cell.tsx';

interface Props {
  store: Store;
  locale: string;
  texts: Texts;
  live: LiveListing | undefined;
  fields: readonly DraftField[];
  findings: readonly Finding[];
  /** Null for a locale whose words searches of the storefront do not find. */
  words: ReadonlyMap<string, readonly CoveredPhrase[]> | null;
  savedBy: string | undefined;
  savedAt: string | undefined;
  isCompared: boolean;
  disabled: boolean;
  onChange: (field: DraftField, text: string | undefined) => void;
  onRemove: () => void;
}

/** A name that is no language tag, such as that of a folder, stays as it is. */
function formatLocale(locale: string, language: string): string {
  try {
    return new Intl.DisplayNames(language, { type: 'language' }).of(locale) ?? locale;
  } catch {
    return locale;
  }
}

export function LocaleRow(props: Props) {
  const { store, locale, texts, live, fields, findings, words } = props;
  const { t, i18n } = useTranslation();
  const searched: readonly DraftField[] = listSearched(store);
  const ofRow = findings.filter(({ field }) => field === null);
  return (
    <section className={styles.row} aria-label={locale}>
      <div className={styles.rowHead}>
        <div className={styles.rowFacts}>
          <h3>
            <bdi>{locale}</bdi>
          </h3>
          <span className="muted">{formatLocale(locale, i18n.language)}</span>
          {live && (
            <span className="muted">
              {t('listingDrafts.liveOf', { country: formatCountry(live.country) })}{' '}
              <Ago instant={live.takenAt} />
            </span>
          )}
          {props.savedAt !== undefined && (
            <span className="muted">
              {props.savedBy ?? t('listingDrafts.unknownAuthor')} · <Ago instant={props.savedAt} />
            </span>
          )}
          {ofRow.map(({ rule, level }) => (
            <span key={rule} className={styles.rowFinding} data-level={level}>
              {t(`listingDrafts.rule.${rule}`)}
            </span>
          ))}
        </div>
        {!props.disabled && (
          <ActionIcon
            className="touch"
            variant="subtle"
            color="gray"
            aria-label={t('listingDrafts.removeLocale', { locale })}
            title={t('listingDrafts.removeLocale', { locale })}
            onClick={props.onRemove}
          >
            <X size={15} aria-hidden />
          </ActionIcon>
        )}
      </div>
      <div className={styles.cells}>
        {fields.map((field) => (
          <TextCell
            key={field}
            locale={locale}
            field={field}
            text={texts[field]}
            live={live?.texts[field]}
            limit={limitOf(store, toolOf(store), field)?.max}
            findings={findings.filter((finding) => finding.field === field)}
            segments={words && searched.includes(field) ? markWords(texts[field] ?? '', words) : []}
            isCompared={props.isCompared}
            disabled={props.disabled}
            onChange={(text) => props.onChange(field, text)}
          />
        ))}
      </div>
    </section>
  );
}
