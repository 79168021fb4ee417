import { apiPath } from '#web/base-path.ts';
import { ApiError } from '#client/http.ts';
import { saveFile } from '#web/save-file.ts';

/**
 * Downloads a file of the API with progress in bytes and saves it under the name it came with.
 * Throws errors of the API; an abort ends it without a file.
 */
export async function download(
  path: string,
  onProgress: (bytes: number) => void,
  signal: AbortSignal,
): Promise<void> {
  const response = await fetch(`${apiPath}${path}`, { signal });
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
