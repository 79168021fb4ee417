import { useTranslation } from 'react-i18next';
import { Ago } from '#web/components/ago.tsx';
import { CountryChip } from '#web/components/country-chip.tsx';
import { formatCount, formatDay, formatDecimal, formatShare } from '#web/format.ts';
import type { Fact } from '#web/components/facts.tsx';
import { Chips, FactGrid, FactTable, Known, FactMeter } from './blocks.tsx';
import styles from './evidence.module.css';
import {
  readFacts,
  readNumber,
  readNumbers,
  readRows,
  readText,
  readTexts,
  type Facts,
} from './parse-facts.ts';

interface Props {
  facts: Facts;
}

export function ReviewThemeEvidence({ facts }: Props) {
  const { t } = useTranslation();
  const [reviews, low] = [readNumber(facts, 'reviews') ?? 0, readNumber(facts, 'lowReviews') ?? 0];
  const all = readNumber(facts, 'lowReviewsInAll') ?? low;
  const stars = readNumbers(facts, 'stars');
  const share = readNumber(facts, 'share');
  return (
    <>
      <FactMeter
        label={t('actions.themeShare', { phrase: readText(facts, 'phrase') ?? '' })}
        value={reviews}
        max={low}
        note={t(all > low ? 'actions.ofNewestReviews' : 'actions.ofReviews', {
          count: reviews,
          low: formatCount(low),
          all: formatCount(all),
          share: share === null ? '' : formatShare(share),
        })}
      />
      <FactGrid
        facts={stars.flatMap((count, index): Fact[] =>
          count > 0
            ? [[t('actions.stars', { count: index + 1 }), t('actions.reviewCount', { count })]]
            : [],
        )}
      />
    </>
  );
}

export function RatingFellEvidence({ facts }: Props) {
  const { t } = useTranslation();
  const sides = ['before', 'now'].map((name) => readFacts(facts, name) ?? {});
  const shown = sides.map((side) => {
    const rating = readNumber(side, 'rating');
    const date = readText(side, 'date');
    return {
      label: date ? formatDay(date) : t('actions.notKnown'),
      rating,
      count: readNumber(side, 'ratingCount'),
    };
  });
  const fall = readNumber(facts, 'fall');
  return (
    <>
      <p className={styles.countries}>
        <CountryChip code={readText(facts, 'country') ?? ''} named />
      </p>
      {shown.map(({ label, rating, count }) => (
        <FactMeter
          key={label}
          label={label}
          value={rating ?? 0}
          max={5}
          note={t('actions.ratingOf', {
            rating: rating === null ? t('actions.notKnown') : formatDecimal(rating, 2),
            count: count ?? 0,
            shown: count === null ? t('actions.notKnown') : formatCount(count),
          })}
        />
      ))}
      {fall !== null && (
        <p>
          <span className={styles.loss}>▼ {formatDecimal(fall, 2)}</span> {t('actions.starsLost')}
        </p>
      )}
    </>
  );
}

export function UntrackedCountryEvidence({ facts }: Props) {
  const { t } = useTranslation();
  const phrases = readRows(facts, 'phrases');
  const more = (readNumber(facts, 'phrasesInAll') ?? phrases.length) - phrases.length;
  return (
    <>
      <FactGrid
        facts={[
          [
            t('actions.fact.country'),
            <CountryChip key="country" code={readText(facts, 'country') ?? ''} named />,
          ],
          [
            t('actions.fact.ratings'),
            <Known key="ratings" value={readNumber(facts, 'ratingCount')} />,
          ],
        ]}
      />
      <FactTable
        label={t('actions.searchedThere')}
        head={[t('actions.searchedThere'), t('actions.fact.traffic')]}
        rows={phrases.map((row, index) => ({
          key: String(index),
          cells: [
            readText(row, 'phrase'),
            <Known key="traffic" value={readNumber(row, 'traffic')} of={100} />,
          ],
        }))}
      />
      {more > 0 && <p className="muted">{t('actions.morePhrases', { count: more })}</p>}
    </>
  );
}

export function WebhookFailingEvidence({ facts }: Props) {
  const { t } = useTranslation();
  const disabledBy = readText(facts, 'disabledBy');
  return (
    <FactGrid
      facts={[
        [t('actions.fact.host'), readText(facts, 'host')],
        [
          t('actions.fact.failures'),
          <Known key="failures" value={readNumber(facts, 'failures')} />,
        ],
        [t('actions.fact.since'), <Ago key="since" instant={readText(facts, 'failingSince')} />],
        [
          t('actions.fact.state'),
          disabledBy === 'gone'
            ? t('actions.webhook.gone')
            : disabledBy === 'failing'
              ? t('actions.webhook.disabled')
              : t('actions.webhook.failing'),
        ],
      ]}
    />
  );
}

export function StoreCheckEvidence({ facts }: Props) {
  const { t } = useTranslation();
  const [failing, all] = [
    readNumber(facts, 'failingKeywords') ?? 0,
    readNumber(facts, 'keywords') ?? 0,
  ];
  const since = readText(facts, 'since');
  return (
    <>
      <p className={styles.countries}>
        <CountryChip code={readText(facts, 'country') ?? ''} named />
      </p>
      <FactMeter
        label={t('actions.noResponse')}
        value={failing}
        max={all}
        note={t('actions.ofKeywords', { count: all, failing })}
      />
      {since && <p className="muted">{t('actions.sinceDay', { day: formatDay(since) })}</p>}
      <Chips label={t('actions.storeSaid')} words={readTexts(facts, 'markers')} />
    </>
  );
}
