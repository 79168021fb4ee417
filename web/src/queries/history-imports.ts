import { infiniteQueryOptions, queryOptions } from '@tanstack/react-query';
import { historyPartBytes } from '#contract/body-limits.ts';
import { call, type Request, type ResponseOf } from '../api.ts';
import { readBase64 } from '../read-base64.ts';
import { sendPart } from './send-part.ts';

export type HistoryImport = ResponseOf<'GET /history-imports/{importId}'>;
export type HistoryPreview = ResponseOf<'POST /history-imports/{importId}/preview'>;
export type HistoryRow = HistoryPreview['rows'][number];
export type Reading = NonNullable<
  Request<'POST /history-imports/{importId}/preview'>['body']['reading']
>;

export interface Upload {
  importId: number;
  parts: number;
}

const pollIntervalMs = 1_500;
const pageSize = 100;

export const isInProgress = ({ phase, jobState }: HistoryImport): boolean =>
  (phase === 'checking' || phase === 'importing') &&
  (jobState === 'queued' || jobState === 'running');

export const historyImportQuery = (importId: number) =>
  queryOptions({
    queryKey: ['history-imports', importId],
    queryFn: ({ signal }) =>
      call('GET /history-imports/{importId}', { params: { importId } }, signal),
    refetchInterval: ({ state }) =>
      state.data && isInProgress(state.data) ? pollIntervalMs : false,
  });

/** How the beginning of a file is read; recognized by the server without a reading. */
export const historyPreviewQuery = (importId: number, reading: Reading | undefined) =>
  queryOptions({
    queryKey: ['history-imports', importId, 'preview', reading],
    queryFn: ({ signal }) =>
      call(
        'POST /history-imports/{importId}/preview',
        { params: { importId }, body: reading === undefined ? {} : { reading } },
        signal,
      ),
    staleTime: Number.POSITIVE_INFINITY,
  });

export const historyPresetsQuery = queryOptions({
  queryKey: ['history-imports', 'presets'],
  queryFn: ({ signal }) => call('GET /history-imports/presets', {}, signal),
  staleTime: Number.POSITIVE_INFINITY,
});

/** `checkedAt` differs for each check and run. */
export const historyRowsQuery = (
  importId: number,
  checkedAt: string | null,
  outcome: HistoryRow['outcome'] | undefined,
) =>
  infiniteQueryOptions({
    queryKey: ['history-imports', importId, 'rows', checkedAt, outcome],
    queryFn: ({ pageParam, signal }) =>
      call(
        'GET /history-imports/{importId}/rows',
        { params: { importId }, query: { limit: pageSize, cursor: pageParam, outcome } },
        signal,
      ),
    initialPageParam: undefined as string | undefined,
    getNextPageParam: (last) => last.nextCursor ?? undefined,
  });

/** Uploads a file in parts. `onProgress` receives the sent share. */
export async function uploadHistory(
  appId: number,
  file: File,
  onProgress: (share: number) => void,
): Promise<Upload> {
  const fileName = file.name.slice(-200) || 'file';
  const { id: importId } = await call('POST /history-imports', { body: { appId, fileName } });
  const parts = Math.max(1, Math.ceil(file.size / historyPartBytes));
  for (let part = 1; part <= parts; part += 1) {
    const piece = file.slice((part - 1) * historyPartBytes, part * historyPartBytes);
    const body = { data: await readBase64(piece) };
    await sendPart(() =>
      call('PUT /history-imports/{importId}/parts/{part}', { params: { importId, part }, body }),
    );
    onProgress(part / parts);
  }
  return { importId, parts };
}
