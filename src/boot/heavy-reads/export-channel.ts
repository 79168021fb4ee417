import { once } from 'node:events';
import type { MessagePort } from 'node:worker_threads';
import type { HeavyError, OpenedExport } from '#api/heavy-reads/heavy-read.ts';

/** Messages of the thread: how the export opened, its chunks, and null at the end. */
type Message = { fileName: string } | HeavyError | string | null;
const more = 'more';

/** Sends an export chunk by chunk, each when the one before was consumed. */
export async function sendExport(
  port: MessagePort,
  opened: OpenedExport | HeavyError,
): Promise<void> {
  const closed = new AbortController();
  port.once('close', () => closed.abort());
  try {
    if (opened.kind === 'error') return send(port, opened);
    send(port, { fileName: opened.fileName });
    for await (const chunk of opened.text) {
      await once(port, 'message', { signal: closed.signal });
      send(port, chunk);
    }
    await once(port, 'message', { signal: closed.signal });
    send(port, null);
  } catch (error) {
    // Nobody reads any more.
    if (!closed.signal.aborted) throw error;
  } finally {
    port.close();
  }
}

/** The other end of `sendExport`. Throws when the thread ends before the export does. */
export async function receiveExport(port: MessagePort): Promise<OpenedExport | HeavyError> {
  const opened = await receive(port);
  if (opened === null || typeof opened === 'string') throw new Error('an export has no beginning');
  if ('kind' in opened) return opened;
  return { kind: 'export', fileName: opened.fileName, text: readChunks(port) };
}

async function* readChunks(port: MessagePort): AsyncGenerator<string> {
  try {
    for (;;) {
      port.postMessage(more);
      const chunk = await receive(port);
      if (typeof chunk !== 'string') return;
      yield chunk;
    }
  } finally {
    port.close();
  }
}

async function receive(port: MessagePort): Promise<Message> {
  const ended = new AbortController();
  const onClose = () => ended.abort();
  port.once('close', onClose);
  try {
    const [message] = (await once(port, 'message', { signal: ended.signal })) as [Message];
    return message;
  } catch (error) {
    if (ended.signal.aborted) throw new Error('the thread of an export has ended');
    throw error;
  } finally {
    port.off('close', onClose);
  }
}

const send = (port: MessagePort, message: Message): void => port.postMessage(message);
