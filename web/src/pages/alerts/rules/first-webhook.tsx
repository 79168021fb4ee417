import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { useTranslation } from 'react-i18next';
import { firstWebhookQuery } from '#web/queries/webhooks.ts';

/** Offers the first webhook where alerts are switched on. */
export function FirstWebhook() {
  const { t } = useTranslation();
  const { data } = useQuery(firstWebhookQuery);
  if (data?.items.length !== 0) return null;
  return (
    <>
      {t('rules.noWebhook')}{' '}
      <Link to="/alerts" search={{ tab: 'webhooks' } as never}>
        {t('webhooks.add')}
      </Link>
    </>
  );
}
