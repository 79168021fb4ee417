import { SegmentedControl, Select, TextInput } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { Link, useParams } from '@tanstack/react-router';
import { Search } from 'lucide-react';
import { useTranslation } from 'react-i18next';
import { popularityMovements } from '#contract/choices.ts';
import { popularityGenres } from '#stores/profiles.ts';
import { EmptyState } from '#web/components/empty-state.tsx';
import { Filters } from '#web/components/filters.tsx';
import { formatPeriod } from '#web/components/format-period.ts';
import { Loaded } from '#web/components/loaded.tsx';
import { PageHead } from '#web/components/page-head.tsx';
import { compareText, formatCountry } from '#web/format.ts';
import { useCurrentApp } from '#web/frame/current-app.ts';
import { useScope } from '#web/frame/use-scope.ts';
import { popularityPeriodsQuery, type PopularityPeriod } from '#web/queries/popularity.ts';
import { sessionQuery } from '#web/queries/session.ts';
import { useSearchText } from '#web/search-text.ts';
import { useSearchChoice, useSearchValue } from '#web/search-value.ts';
import { TermsCard } from './terms-card.tsx';

/** The search terms that the store publishes by genre, country and month. */
export function PopularityPage() {
  const { t } = useTranslation();
  const query = useQuery(popularityPeriodsQuery);
  return (
    <>
      <PageHead title={t('popularity.title')} lead={t('popularity.lead')} />
      <Loaded query={query} height={520}>
        {({ items }) => (items.length === 0 ? <NothingYet /> : <Terms periods={items} />)}
      </Loaded>
    </>
  );
}

function NothingYet() {
  const { t } = useTranslation();
  const mayImport = useQuery(sessionQuery).data?.managesInstance === true;
  return (
    <EmptyState
      icon={Search}
      title={t('popularity.emptyTitle')}
      text={t(mayImport ? 'popularity.emptyOperator' : 'popularity.emptyMember')}
    >
      {mayImport && (
        <Link to="/settings" search={{ tab: 'popularity' } as never}>
          {t('popularity.toImport')}
        </Link>
      )}
    </EmptyState>
  );
}

const genres = ['all', ...popularityGenres] as const;
const movements = ['all', ...popularityMovements] as const;

/** A month and a week may begin on the same day. */
const keyOf = ({ granularity, period }: PopularityPeriod): string => `${granularity}-${period}`;

/** The country of the address, of the frame or of the app, or else the first one with data. */
function useMarket(periods: readonly PopularityPeriod[]) {
  const app = useCurrentApp();
  const scope = useScope();
  const [asked, setCountry] = useSearchValue('in');
  const [month, setPeriod] = useSearchValue('period');
  const has = (country: string | null | undefined) =>
    periods.some((period) => period.country === country);
  const country = [asked, scope.country, app?.primaryCountry].find(has) ?? periods[0]!.country;
  const ofCountry = periods.filter((period) => period.country === country);
  const chosen =
    ofCountry.find((period) => keyOf(period) === month || period.period === month) ?? ofCountry[0]!;
  return { country, setCountry, ofCountry, chosen, setPeriod };
}

function Terms({ periods }: { periods: readonly PopularityPeriod[] }) {
  const { t } = useTranslation();
  const appId = Number(useParams({ strict: false }).appId) || 0;
  const { country, setCountry, ofCountry, chosen, setPeriod } = useMarket(periods);
  const [genre, setGenre] = useSearchChoice('genre', genres);
  const [movement, setMovement] = useSearchChoice('movement', movements);
  const [q, setQ] = useSearchValue('q');
  const { text, type } = useSearchText(q ?? '', (next) => setQ(next || null), 250);
  const countries = [...new Set(periods.map((period) => period.country))]
    .map((value) => ({ value, label: formatCountry(value) }))
    .toSorted((a, b) => compareText(a.label, b.label));
  return (
    <>
      <Filters label={t('popularity.title')}>
        <TextInput
          data-search
          label={t('popularity.search')}
          value={text}
          maxLength={100}
          onChange={(event) => type(event.currentTarget.value)}
        />
        <Select
          label={t('popularity.country')}
          value={country}
          data={countries}
          searchable={countries.length > 8}
          allowDeselect={false}
          onChange={setCountry}
        />
        <Select
          label={t('popularity.genre')}
          value={genre}
          data={genres.map((value) => ({
            value,
            label: value === 'all' ? t('popularity.allGenres') : t(`popularity.genre.${value}`),
          }))}
          allowDeselect={false}
          onChange={(value) => setGenre(genres.find((one) => one === value) ?? 'all')}
        />
        <Select
          label={t('popularity.period')}
          value={keyOf(chosen)}
          data={ofCountry.map((period) => ({ value: keyOf(period), label: formatPeriod(period) }))}
          allowDeselect={false}
          onChange={(value) => setPeriod(value === keyOf(ofCountry[0]!) ? null : value)}
        />
        <SegmentedControl
          size="xs"
          aria-label={t('popularity.movement')}
          value={movement}
          onChange={(value) => setMovement(value)}
          data={movements.map((value) => ({ value, label: t(`popularity.movement.${value}`) }))}
        />
      </Filters>
      <TermsCard
        key={country}
        appId={appId}
        set={chosen}
        filter={{
          appId: appId || undefined,
          country,
          granularity: chosen.granularity,
          period: chosen.period,
          genre: genre === 'all' ? undefined : genre,
          movement: movement === 'all' ? undefined : movement,
          q: q?.trim() || undefined,
        }}
      />
    </>
  );
}
