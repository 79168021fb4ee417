import { Button } from '@mantine/core';
import { Link } from '@tanstack/react-router';
import { Trophy } from 'lucide-react';
import { useTranslation } from 'react-i18next';
import { EmptyState } from '#web/components/empty-state.tsx';
import { formatCountry, formatDay } from '#web/format.ts';

interface Props {
  /** A country, a day or a period without data. */
  country: string | undefined;
  date: string | undefined;
}

/** The reason for the empty state and one action. */
export function EmptyDay({ country, date }: Props) {
  const { t } = useTranslation();
  if (country)
    return (
      <EmptyState
        icon={Trophy}
        title={t('charts.noCountryTitle', { country: formatCountry(country) })}
        text={t('charts.noCountryText')}
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
        title={t('charts.noDayTitle', { day: formatDay(date, true) })}
        text={t('charts.noDayText')}
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
          {t('charts.noDayAction')}
        </Button>
      </EmptyState>
    );
  return (
    <EmptyState icon={Trophy} title={t('charts.notYetTitle')} text={t('charts.notYetText')}>
      <Button className="touch" renderRoot={(props) => <Link to="/runs" {...props} />}>
        {t('charts.notYetAction')}
      </Button>
    </EmptyState>
  );
}
