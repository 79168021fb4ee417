import { ApiError } from '../../../../../src/client/http.ts';
import { saveFile } from '../../../save-file.ts';

/**
 * Fetches a file of the API, tells how many bytes have come, and hands it to the browser under the name it came with.
 * Throws what the API refused; an abort ends it without a file.
 */
export async function download(
  path: string,
  onProgress: (bytes: number) => void,
  signal: AbortSignal,
): Promise<void> {
  const response = await fetch(`/api/backend${path}`, { signal });
  if (!response.ok) throw new ApiError(await response.json());
  const name =
    /filename="?([^";]+)/.exec(response.headers.get('content-disposition') ?? '')?.[1] ?? 'export';
  const parts: Uint8Array<ArrayBuffer>[] = [];
  let bytes = 0;
  const reader = response.body!.getReader();
  for (let piece = await reader.read(); !piece.done; piece = await reader.read()) {
    parts.push(piece.value);
    bytes += piece.value.byteLength;
    onProgress(bytes);
  }
  saveFile(
    name,
    new Blob(parts, { type: response.headers.get('content-type') ?? 'application/octet-stream' }),
  );
}
