import { useTranslation } from 'react-i18next';
import { diffWords } from '#lib/word-diff.ts';
import type { ZipPreview } from '#web/queries/listing-drafts.ts';
import styles from '../listing-drafts-page.module.css';
import type { ZipTask } from './zip-buttons.tsx';

const shownChanges = 100;

/** The texts that a save changes in the draft, or a download in the zip. */
export function ZipChanges({ task, preview }: { task: ZipTask; preview: ZipPreview }) {
  const { t } = useTranslation();
  const { faults, differences, locales, notEmptied, chosen } = preview;
  if (faults.length > 0)
    return (
      <div role="alert">
        <p className={styles.fault}>{t('listingDrafts.zip.faults')}</p>
        <ul className={styles.findings}>
          {faults.map(({ file, message }) => (
            <li key={`${file} ${message}`}>
              <bdi>{file}</bdi>: <span lang="en">{message}</span>
            </li>
          ))}
        </ul>
      </div>
    );
  // Locales that only the draft has stay in it, and texts that only the folder has in the folder.
  const saved = new Set(locales.map(({ locale }) => locale));
  const changes =
    task === 'upload'
      ? differences
          .filter(({ locale }) => saved.has(locale))
          .map(({ draft, folder, ...one }) => ({ ...one, before: draft, after: folder }))
      : differences
          .filter(({ draft }) => draft !== null)
          .map(({ draft, folder, ...one }) => ({ ...one, before: folder, after: draft }));
  const nameOf = ({ locale, field }: (typeof notEmptied)[number]) =>
    t('listingDrafts.textOf', { locale, field: t(`listingDrafts.field.${field}`) });
  return (
    <>
      <p role="status">
        {changes.length === 0
          ? t('listingDrafts.zip.same')
          : t(`listingDrafts.zip.${task === 'upload' ? 'changes' : 'fileChanges'}`, {
              count: changes.length,
            })}
      </p>
      {changes.length > 0 && (
        <ul className={styles.changes} tabIndex={0} aria-label={t(`listingDrafts.zip.${task}`)}>
          {changes.slice(0, shownChanges).map((change) => (
            <li key={nameOf(change)}>
              <strong>{nameOf(change)}</strong>
              <Difference {...change} nothing={task === 'upload' ? 'none' : 'noFile'} />
            </li>
          ))}
        </ul>
      )}
      {changes.length > shownChanges && (
        <p className="muted">
          {t('listingDrafts.zip.more', { count: changes.length - shownChanges })}
        </p>
      )}
      {task === 'download' && notEmptied.length > 0 && (
        <p className={styles.hint}>
          {t('listingDrafts.zip.notEmptied', {
            tool: chosen?.tool,
            texts: notEmptied.map(nameOf).join('; '),
          })}
        </p>
      )}
    </>
  );
}

interface Change {
  before: string | null;
  after: string | null;
  nothing: 'none' | 'noFile';
}

function Difference({ before, after, nothing }: Change) {
  const { t } = useTranslation();
  const show = (text: string | null) =>
    text === null
      ? t(`listingDrafts.zip.${nothing}`)
      : text === ''
        ? t('listingDrafts.zip.removed')
        : text;
  return (
    <div className={styles.diff}>
      <bdi dir="auto">
        {before && after ? (
          diffWords(before, after).map(({ op, text }, index) => {
            const Tag = op === 'added' ? 'ins' : op === 'removed' ? 'del' : 'span';
            // oxlint-disable-next-line react/no-array-index-key
            return <Tag key={index}>{text}</Tag>;
          })
        ) : (
          <>
            <del>{show(before)}</del> <ins>{show(after)}</ins>
          </>
        )}
      </bdi>
    </div>
  );
}
