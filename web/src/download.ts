import { apiPath } from './base-path.ts';
import { ApiError } from '#client/http.ts';
import { ConnectionError, markConnectionErrors } from './connection-error.ts';
import { saveFile } from './save-file.ts';
import { sendShownWorkspace } from './shown-workspace.ts';

/**
 * Downloads a file of the API with progress in bytes and saves it under the name it came with; with
 * a body it is sent for it.
 * Throws errors of the API; an abort ends it without a file.
 */
export async function download(
  path: string,
  onProgress: (bytes: number) => void,
  signal: AbortSignal,
  body?: object,
): Promise<void> {
  await markConnectionErrors(async () => {
    const response = await sendShownWorkspace(fetch)(`${apiPath}${path}`, {
      signal,
      ...(body && {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify(body),
      }),
    });
    if (!response.ok)
      throw new ApiError(
        await response.json().catch(() => {
          // A proxy responds without JSON while the server is away.
          throw new ConnectionError(`status ${response.status}`);
        }),
      );
    const name =
      /filename="?([^";]+)/.exec(response.headers.get('content-disposition') ?? '')?.[1] ??
      'export';
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
  });
}
