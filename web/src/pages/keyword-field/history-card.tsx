import { useInfiniteQuery } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import { Card } from '#web/components/card.tsx';
import { LoadedPages } from '#web/components/loaded-pages.tsx';
import { formatDecimal, formatInstant } from '#web/format.ts';
import { fieldHistoryQuery, type FieldVersion } from '#web/queries/keyword-field.ts';
import styles from './keyword-field-page.module.css';

/**
 * Past versions with their changes, and the positions of the affected keywords before and after.
 */
export function HistoryCard({
  appId,
  locale,
  limit,
}: {
  appId: number;
  locale: string;
  limit: number;
}) {
  const { t } = useTranslation();
  const query = useInfiniteQuery(fieldHistoryQuery(appId, locale));
  return (
    <Card title={t('keywordField.versions')} lead={t('keywordField.versionsLead')}>
      <LoadedPages
        query={query}
        height={200}
        empty={<p className="muted">{t('keywordField.noVersions')}</p>}
      >
        {(versions) => (
          <ol className={styles.versions}>
            {versions.map((version) => (
              <Version key={version.id} version={version} limit={limit} />
            ))}
          </ol>
        )}
      </LoadedPages>
    </Card>
  );
}

function Version({ version, limit }: { version: FieldVersion; limit: number }) {
  const { t } = useTranslation();
  const { before, after } = version;
  const side = ({ averagePosition, ranked, followed }: FieldVersion['before']) =>
    averagePosition === null
      ? t('keywordField.notRanked', { count: followed })
      : t('keywordField.average', { average: formatDecimal(averagePosition), ranked, followed });
  return (
    <li>
      <p className={styles.versionHead}>
        <time dateTime={version.savedAt}>{formatInstant(version.savedAt)}</time>
        <span className="num muted">
          {version.length}/{limit}
        </span>
      </p>
      <p className={styles.diff}>
        {version.added.map((word) => (
          <ins key={word}>{word}</ins>
        ))}
        {version.removed.map((word) => (
          <del key={word}>{word}</del>
        ))}
        {version.added.length + version.removed.length === 0 && (
          <span className="muted">{t('keywordField.sameWords')}</span>
        )}
      </p>
      <p className="muted">
        {t('keywordField.before')}: {side(before)} · {t('keywordField.after')}:{' '}
        {after ? side(after) : t('keywordField.notYet')}
      </p>
    </li>
  );
}
