import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import { call, type Request } from '#web/api.ts';
import { CostLine } from '#web/components/cost-line.tsx';
import { ErrorNotice } from '#web/components/error-notice.tsx';
import styles from './dialog.module.css';

interface Props {
  appId: number;
  /** Null while there is nothing to preview. */
  body: Request<'POST /apps/{id}/keywords/preview'>['body'] | null;
}

function usePreview({ appId, body }: Props) {
  return useQuery({
    queryKey: ['apps', appId, 'preview', body],
    queryFn: ({ signal }) =>
      call('POST /apps/{id}/keywords/preview', { params: { id: appId }, body: body! }, signal),
    enabled: body !== null,
    placeholderData: keepPreviousData,
    retry: false,
  });
}

/** The error that the preview shows. */
export function usePreviewError(props: Props): Error | null {
  const { error, isPlaceholderData } = usePreview(props);
  return props.body === null || isPlaceholderData ? null : error;
}

/** The effect and cost of adding keywords, before they are added. */
export function AdditionPreview({ appId, body }: Props) {
  const { t } = useTranslation();
  const { data, error, isFetching, isPlaceholderData } = usePreview({ appId, body });
  const known = body === null ? undefined : data;
  const countOf = (state: 'new' | 'existing') =>
    known?.items.filter((item) => item.state === state).length;
  if (body !== null && error && !isPlaceholderData)
    return (
      <div className={styles.cost}>
        <ErrorNotice error={error} />
      </div>
    );
  return (
    <div className={styles.cost}>
      <CostLine delta={known?.budgetDelta} pending={isFetching} />
      {known && (
        <p className="muted num">
          {t('add.counts', { count: countOf('new'), existing: countOf('existing') })}
        </p>
      )}
    </div>
  );
}
