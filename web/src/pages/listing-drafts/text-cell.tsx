import { Textarea } from '@mantine/core';
import { useMemo } from 'react';
import { useTranslation } from 'react-i18next';
import type { DraftField } from '#contract/listing-drafts.ts';
import { countCharacters } from '#lib/text.ts';
import { diffWords } from '#lib/word-diff.ts';
import type { Finding } from '#listing-lint/finding.ts';
import { isEmptiable } from './draft-state.ts';
import styles from './listing-drafts-page.module.css';
import type { Segment } from './mark-words.ts';
import { MarkedText } from './marked-text.tsx';

interface Props {
  locale: string;
  field: DraftField;
  /** Undefined when it is not drafted, '' when it shall be empty. */
  text: string | undefined;
  live: string | undefined;
  limit: number | undefined;
  findings: readonly Finding[];
  segments: readonly Segment[];
  isCompared: boolean;
  disabled: boolean;
  onChange: (text: string | undefined) => void;
}

const isLong = (field: DraftField): boolean => field === 'description' || field === 'whatsNew';
const maxCharacters = (field: DraftField): number => (isLong(field) ? 8_000 : 1_000);

/** One text of a locale: its characters, its findings, its words and what changes in the store. */
export function TextCell(props: Props) {
  const { locale, field, text, live, limit, findings, segments, isCompared } = props;
  const { t } = useTranslation();
  const name = t('listingDrafts.textOf', { field: t(`listingDrafts.field.${field}`), locale });
  const used = countCharacters(text ?? '');
  const hasError = findings.some(({ level }) => level === 'error');
  return (
    <div className={styles.cell}>
      <div className={styles.cellHead}>
        <span>{t(`listingDrafts.field.${field}`)}</span>
        {limit !== undefined && (
          <span className="num" data-over={used > limit || undefined}>
            {used}/{limit}
          </span>
        )}
      </div>
      <Textarea
        aria-label={name}
        value={text ?? ''}
        lang={locale}
        dir="auto"
        autosize
        minRows={isLong(field) ? 4 : 1}
        maxRows={isLong(field) ? 14 : 6}
        placeholder={live === undefined ? undefined : live.slice(0, 300)}
        disabled={props.disabled}
        error={hasError}
        onChange={({ currentTarget: { value } }) =>
          countCharacters(value) <= maxCharacters(field) && props.onChange(value || undefined)
        }
      />
      <Untyped {...props} name={name} />
      <MarkedText segments={segments} label={name} />
      {findings.length > 0 && (
        <ul className={styles.findings} aria-label={t('listingDrafts.findingsOf', { name })}>
          {findings.map((finding, index) => (
            // oxlint-disable-next-line react/no-array-index-key
            <li key={index} data-level={finding.level}>
              {t(`listingDrafts.level.${finding.level}`)}: {t(`listingDrafts.rule.${finding.rule}`)}
              {finding.found !== undefined && (
                <>
                  {' '}
                  <q dir="auto">{finding.found}</q>
                </>
              )}
            </li>
          ))}
        </ul>
      )}
      {isCompared && <Comparison name={name} text={text} live={live} />}
    </div>
  );
}

/** What becomes of a text that nobody typed: the store keeps its own, or it is emptied. */
function Untyped({ name, field, text, live, disabled, onChange }: Props & { name: string }) {
  const { t } = useTranslation();
  if (text === undefined && live === undefined && !isEmptiable(field, live)) return null;
  if (text !== undefined && text !== '') return null;
  const isEmptied = text === '';
  return (
    <p className={styles.hint}>
      {isEmptied && t('listingDrafts.emptied')}
      {!isEmptied && live !== undefined && t('listingDrafts.liveStays')}{' '}
      {!disabled && (isEmptied || isEmptiable(field, live)) && (
        <button
          type="button"
          className={styles.count}
          aria-label={t(`listingDrafts.${isEmptied ? 'keepLiveOf' : 'emptyOf'}`, { name })}
          onClick={() => onChange(isEmptied ? undefined : '')}
        >
          {t(`listingDrafts.${isEmptied ? 'keepLive' : 'empty'}`)}
        </button>
      )}
    </p>
  );
}

function Comparison({
  name,
  text,
  live,
}: {
  name: string;
  text: string | undefined;
  live?: string | undefined;
}) {
  const { t } = useTranslation();
  const ops = useMemo(
    () => (live === undefined || text === undefined ? [] : diffWords(live, text)),
    [live, text],
  );
  if (text === undefined) return null;
  if (live === undefined) return <p className={styles.hint}>{t('listingDrafts.liveUnknown')}</p>;
  if (live === text) return <p className={styles.hint}>{t('listingDrafts.sameAsLive')}</p>;
  return (
    <div className={styles.diff} role="group" aria-label={t('listingDrafts.diffOf', { name })}>
      <bdi dir="auto">
        {ops.map(({ op, text: part }, index) => {
          const Tag = op === 'added' ? 'ins' : op === 'removed' ? 'del' : 'span';
          // oxlint-disable-next-line react/no-array-index-key
          return <Tag key={index}>{part}</Tag>;
        })}
      </bdi>
    </div>
  );
}
