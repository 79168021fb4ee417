import { useTranslation } from 'react-i18next';
import type { Keyword } from '#web/api.ts';
import { formatCount, formatCountry, formatDay } from '#web/format.ts';
import { Facts, type Fact } from './facts.tsx';
import { formatPeriod } from './format-period.ts';
import styles from './published-facts.module.css';

export type Published = NonNullable<Keyword['published']>;

/** The store's own number with its period, source and genre, or what it says that there is none. */
export function PublishedFacts({
  published,
  country,
}: {
  published: Published | null;
  country: string;
}) {
  const { t } = useTranslation();
  if (!published) return null;
  const { popularity, atMost, genre, granularity, period, rankInGenre, source } = published;
  const isListed = popularity !== null;
  const genreName = genre && t(`popularity.genre.${genre}`);
  const facts: Fact[] = [
    [
      t('popularity.period'),
      granularity === 'week'
        ? t('published.week', { day: formatDay(period, true) })
        : formatPeriod(published),
    ],
    [t('published.source'), t(`published.source.${source}`)],
    ...(genreName ? [[t('popularity.genre'), genreName] as const] : []),
    ...(rankInGenre === null ? [] : [[t('popularity.rank'), formatCount(rankInGenre)] as const]),
  ];
  const reason = genreName
    ? t('published.floorOfGenre', { genre: genreName, country: formatCountry(country) })
    : t('published.floorOfCountry', { country: formatCountry(country) });
  return (
    <section className={styles.published} aria-label={t('published.title')}>
      <h3>{t('published.title')}</h3>
      <p>
        <b>{isListed ? popularity : t('published.atMost', { value: atMost })}</b>{' '}
        <span className="muted">{isListed ? t('score.of100') : t('published.notListed')}</span>
      </p>
      {!isListed && <p className="muted">{reason}</p>}
      <Facts facts={facts} />
    </section>
  );
}
