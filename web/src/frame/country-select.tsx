import { useQuery } from '@tanstack/react-query';
import { Globe } from 'lucide-react';
import { useTranslation } from 'react-i18next';
import { formatCountry } from '../format.ts';
import { marketsQuery } from '../queries/apps.ts';
import { OverlaySelect } from '../components/overlays/overlay-select.tsx';
import type { Scope } from '../scope.ts';
import styles from './scope-bar.module.css';

interface Props {
  scope: Scope;
  onChange: (next: Scope) => void;
  appId: number | undefined;
  /** The default country of pages that show one country. Other pages show all countries. */
  instead: string | undefined;
}

/** The countries with tracked keywords, and the selected one. */
export function CountrySelect({ appId, instead, scope, onChange }: Props) {
  const { t } = useTranslation();
  const { data } = useQuery({ ...marketsQuery(appId ?? 0), enabled: appId !== undefined });
  const followed = data?.items.map(({ country }) => country) ?? [];
  const shown = scope.country ?? instead;
  const codes = shown && !followed.includes(shown) ? [...followed, shown] : followed;
  const all = instead ? [] : [{ value: '', label: t('scope.allCountries') }];
  return (
    <OverlaySelect
      aria-label={t('scope.country')}
      className={styles.country}
      leftSection={<Globe size={15} aria-hidden />}
      value={shown ?? ''}
      onChange={(value) => onChange({ country: value || undefined })}
      data={[...all, ...codes.map((code) => ({ value: code, label: formatCountry(code) }))]}
      searchable={followed.length > 8}
      comboboxProps={{ width: 220, position: 'bottom-start', withinPortal: false }}
    />
  );
}
