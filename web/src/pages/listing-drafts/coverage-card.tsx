import { Link } from '@tanstack/react-router';
import { useTranslation } from 'react-i18next';
import { profileOf } from '#stores/profiles.ts';
import type { Store } from '#web/api.ts';
import { Card } from '#web/components/card.tsx';
import { DataTable, type DataColumn } from '#web/components/data-table.tsx';
import { formatCountry, formatList } from '#web/format.ts';
import type { CoveragePreview, CoveredPhrase } from '#web/queries/listing-drafts.ts';
import styles from './listing-drafts-page.module.css';

type Change = 'lost' | 'gained' | 'open' | 'kept';
const order: readonly Change[] = ['lost', 'gained', 'open', 'kept'];

function changeOf({ coveredBy, liveCoveredBy }: CoveredPhrase): Change {
  if (coveredBy.length === 0) return liveCoveredBy.length === 0 ? 'open' : 'lost';
  return liveCoveredBy.length === 0 ? 'gained' : 'kept';
}

/** The coverage of a storefront's phrases after the change, with gains and losses against live. */
export function CoverageCard({ store, coverage }: { store: Store; coverage: CoveragePreview }) {
  const { t } = useTranslation();
  const { country, phrases, locales, covered, liveCovered, total } = coverage;
  const count = (change: Change) => phrases.filter((one) => changeOf(one) === change).length;
  const hasField = profileOf(store).texts.keywordField !== null;
  const unknown = locales.filter(({ isLiveKnown }) => !isLiveKnown).map(({ locale }) => locale);
  const columns: DataColumn<CoveredPhrase>[] = [
    {
      id: 'phrase',
      head: t('listingDrafts.phrase'),
      cell: ({ keywordId, phrase }) => (
        <Link to="/keywords/$keywordId" params={{ keywordId: String(keywordId) }}>
          <bdi>{phrase}</bdi>
        </Link>
      ),
      sortBy: ({ phrase }) => phrase,
    },
    {
      id: 'change',
      head: t('listingDrafts.change'),
      cell: (row) => (
        <span className={styles.change} data-change={changeOf(row)}>
          {t(`listingDrafts.changes.${changeOf(row)}`)}
        </span>
      ),
      sortBy: (row) => order.indexOf(changeOf(row)),
      csv: changeOf,
    },
    {
      id: 'locales',
      head: t('listingDrafts.coveredBy'),
      cell: ({ coveredBy, missing }) =>
        coveredBy.length > 0
          ? formatList(coveredBy, 'narrow')
          : t('listingDrafts.missing', { words: missing.join(', ') }),
      csv: ({ coveredBy }) => coveredBy.join(' '),
    },
    ...(['position', 'traffic', 'difficulty', 'opportunity'] as const).map((id) => ({
      id,
      head: t(`listingDrafts.${id}`),
      cell: (row: CoveredPhrase) => row[id] ?? '–',
      sortBy: (row: CoveredPhrase) => row[id],
      isEnd: true,
    })),
  ];
  return (
    <Card
      title={t('listingDrafts.coverage', { country: formatCountry(country), covered, total })}
      lead={t(`listingDrafts.${hasField ? 'coverageLead' : 'coverageLeadOne'}`)}
    >
      <p className={styles.summary}>
        <span>{t('listingDrafts.liveCovered', { covered: liveCovered, total })}</span>
        <span data-change="gained">{t('listingDrafts.gained', { count: count('gained') })}</span>
        <span data-change="lost">{t('listingDrafts.lost', { count: count('lost') })}</span>
      </p>
      {unknown.length > 0 && (
        <p className={styles.hint}>
          {t('listingDrafts.unknownLive', { locales: unknown.join(', ') })}
        </p>
      )}
      {!hasField && <ShownLocale coverage={coverage} />}
      <DataTable
        label={t('listingDrafts.phrases')}
        rows={phrases}
        columns={columns}
        keyOf={({ keywordId }) => keywordId}
        initialSort="change"
        fileName="locale-coverage"
      />
      {hasField && <FieldFacts coverage={coverage} />}
    </Card>
  );
}

/** Which listing counts where the store shows one. */
function ShownLocale({ coverage: { country, locales } }: { coverage: CoveragePreview }) {
  const { t } = useTranslation();
  const [shown] = locales;
  if (!shown)
    return (
      <p className={styles.hint}>
        {t('listingDrafts.notRead', { country: formatCountry(country) })}
      </p>
    );
  const { locale, insteadOf } = shown;
  return (
    <p className={styles.hint}>
      {insteadOf === null
        ? t('listingDrafts.shownLocale', { locale })
        : t('listingDrafts.shownInstead', { locale, requested: insteadOf })}
    </p>
  );
}

/** Free characters of keyword fields, and words that several languages have. */
function FieldFacts({ coverage: { locales, repeatedWords } }: { coverage: CoveragePreview }) {
  const { t } = useTranslation();
  return (
    <>
      <h3 className={styles.sub}>{t('listingDrafts.free')}</h3>
      <ul className={styles.chips}>
        {locales.map(({ locale, freeCharacters }) => (
          <li key={locale}>
            <bdi>{locale}</bdi> <span className="num">{freeCharacters}</span>
          </li>
        ))}
      </ul>
      <h3 className={styles.sub}>{t('listingDrafts.repeated')}</h3>
      <p className={styles.hint}>{t('listingDrafts.repeatedLead')}</p>
      {repeatedWords.length > 0 && (
        <ul className={styles.chips}>
          {repeatedWords.slice(0, 60).map(({ word, locales: having }) => (
            <li key={word}>
              <bdi>{word}</bdi> <span className="muted">{having.join(', ')}</span>
            </li>
          ))}
        </ul>
      )}
    </>
  );
}
