import { Skeleton } from '@mantine/core';
import type { UseQueryResult } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { ErrorNotice } from './error-notice.tsx';

interface Props<T> {
  query: Pick<UseQueryResult<T>, 'data' | 'error' | 'refetch'>;
  /** What stands in its place until it is here, of the same height, so that nothing jumps. */
  waiting?: ReactNode;
  height?: number;
  children: (data: T) => ReactNode;
}

/** What was read, once it is here: before it a skeleton, instead of it what went wrong and what to do. */
export function Loaded<T>({ query: { data, error, refetch }, waiting, height = 240, children }: Props<T>) {
  if (data !== undefined) return children(data);
  if (error) return <ErrorNotice error={error} onRetry={() => void refetch()} />;
  return waiting ?? <Skeleton height={height} radius={14} />;
}
