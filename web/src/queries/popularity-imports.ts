import { queryOptions } from '@tanstack/react-query';
import { popularityPartBytes } from '#contract/body-limits.ts';
import { call, type ResponseOf } from '../api.ts';
import { readBase64 } from '../read-base64.ts';
import { sendPart } from './send-part.ts';

export type PopularityImport = ResponseOf<'GET /popularity/imports'>['items'][number];
export type PopularityImportDetail = ResponseOf<'GET /popularity/imports/{importId}'>;

const pollIntervalMs = 1_500;

export const isRunning = ({ state }: Pick<PopularityImport, 'state'>): boolean =>
  state === 'queued' || state === 'running';

/** The newest imports. */
export const popularityImportsQuery = queryOptions({
  queryKey: ['popularity', 'imports'],
  queryFn: ({ signal }) => call('GET /popularity/imports', { query: { limit: 20 } }, signal),
  refetchInterval: ({ state }) => (state.data?.items.some(isRunning) ? pollIntervalMs : false),
});

export const popularityImportQuery = (importId: number) =>
  queryOptions({
    queryKey: ['popularity', 'imports', importId],
    queryFn: ({ signal }) =>
      call('GET /popularity/imports/{importId}', { params: { importId } }, signal),
    refetchInterval: ({ state }) => (state.data && isRunning(state.data) ? pollIntervalMs : false),
  });

/** Uploads a file and requests its import. `onProgress` receives the sent share. */
export async function uploadPopularityFile(
  file: File,
  onProgress: (share: number) => void,
): Promise<void> {
  const parts = Math.max(1, Math.ceil(file.size / popularityPartBytes));
  for (let part = 1; part <= parts; part += 1) {
    const piece = file.slice((part - 1) * popularityPartBytes, part * popularityPartBytes);
    const body = { data: await readBase64(piece) };
    await sendPart(() => call('PUT /popularity/imports/parts/{part}', { params: { part }, body }));
    onProgress(part / parts);
  }
  await call('POST /popularity/imports', {
    body: { parts, fileName: file.name.slice(-200) || 'file' },
  });
}
