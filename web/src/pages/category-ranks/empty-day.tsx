import { Button } from '@mantine/core';
import { Link } from '@tanstack/react-router';
import { Trophy } from 'lucide-react';
import { useTranslation } from 'react-i18next';
import { EmptyState } from '../../components/empty-state.tsx';
import { formatCountry, formatDay } from '../../format.ts';

interface Props {
  /** What was asked for and has no places: a country, a day, or nothing in particular. */
  country: string | undefined;
  date: string | undefined;
}

/** Why there is no place to be seen, and the one thing to do about it. */
export function EmptyDay({ country, date }: Props) {
  const { t } = useTranslation();
  if (country)
    return (
      <EmptyState
        icon={Trophy}
        title={t('categoryRanks.noCountryTitle', { country: formatCountry(country) })}
        text={t('categoryRanks.noCountryText')}
      >
        <Button
          className="touch"
          renderRoot={(props) => (
            <Link to="." search={(before) => ({ ...before, country: undefined })} {...props} />
          )}
        >
          {t('scope.allCountries')}
        </Button>
      </EmptyState>
    );
  if (date)
    return (
      <EmptyState
        icon={Trophy}
        title={t('categoryRanks.noDayTitle', { day: formatDay(date, true) })}
        text={t('categoryRanks.noDayText')}
      >
        <Button
          className="touch"
          renderRoot={(props) => (
            <Link
              to="."
              search={(before) => ({ ...before, date: undefined, from: undefined, to: undefined })}
              {...props}
            />
          )}
        >
          {t('categoryRanks.noDayAction')}
        </Button>
      </EmptyState>
    );
  return (
    <EmptyState
      icon={Trophy}
      title={t('categoryRanks.notYetTitle')}
      text={t('categoryRanks.notYetText')}
    >
      <Button className="touch" renderRoot={(props) => <Link to="/runs" {...props} />}>
        {t('categoryRanks.notYetAction')}
      </Button>
    </EmptyState>
  );
}
