import { useQuery } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import { State } from '#web/components/state.tsx';
import { adminUpdatesQuery } from '#web/queries/admin.ts';

/** Nothing, unless the instance knows of a newer release. */
export function UpdateNotice() {
  const { t } = useTranslation();
  const { data } = useQuery(adminUpdatesQuery);
  if (!data?.newer) return null;
  return (
    <p role="status">
      <State tone="busy" wraps>
        {t('admin.update', { newer: data.newer, running: data.running })}
      </State>
    </p>
  );
}
