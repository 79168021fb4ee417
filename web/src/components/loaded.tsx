import { Skeleton } from '@mantine/core';
import type { UseQueryResult } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { ErrorNotice } from './error-notice.tsx';
import { StaleNotice } from './stale-notice.tsx';

interface Props<T> {
  query: Pick<UseQueryResult<T>, 'data' | 'dataUpdatedAt' | 'error' | 'refetch'>;
  /** What stands in its place until it is here, of the same height, so that nothing jumps. */
  waiting?: ReactNode;
  height?: number;
  children: (data: T) => ReactNode;
}

/** What was read, once it is here: before it a skeleton, instead of it what went wrong and what to do; above it that it is old. */
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
  return waiting ?? <Skeleton height={height} radius={14} />;
}
