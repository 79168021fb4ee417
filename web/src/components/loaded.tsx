import type { UseQueryResult } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { ErrorNotice } from './error-notice.tsx';
import { StaleNotice } from './stale-notice.tsx';
import { Waiting, type WaitingHeight } from './waiting.tsx';

interface Props<T> {
  query: Pick<UseQueryResult<T>, 'data' | 'dataUpdatedAt' | 'error' | 'refetch'>;
  /** A placeholder of the same height, so that the layout does not shift. */
  waiting?: ReactNode;
  height?: WaitingHeight;
  children: (data: T) => ReactNode;
}

/**
 * Shows the data of a query, a skeleton while it loads, an error with its remedy if it fails, and a
 * notice above outdated data.
 */
export function Loaded<T>({
  query: { data, dataUpdatedAt, error, refetch },
  waiting,
  height = 240,
  children,
}: Props<T>) {
  const readAgain = () => void refetch();
  if (data !== undefined) {
    return (
      <>
        {error && <StaleNotice error={error} readAtMs={dataUpdatedAt} onRetry={readAgain} />}
        {children(data)}
      </>
    );
  }
  if (error) return <ErrorNotice error={error} onRetry={readAgain} />;
  return waiting ?? <Waiting height={height} />;
}
