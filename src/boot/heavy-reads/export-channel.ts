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

/**
 * The other end of `sendExport`, whose end is `sent`. Throws the error with which that fails, also
 * in the middle of the text.
 */
export async function receiveExport(
  port: MessagePort,
  sent: Promise<void>,
): Promise<OpenedExport | HeavyError> {
  sent.catch(() => port.close());
  const opened = await receive(port, sent);
  if (opened === null || typeof opened === 'string') throw new Error('an export has no beginning');
  if ('kind' in opened) return opened;
  const text = readChunks(port, sent);
  // A generator that has not begun runs no `finally`, and the thread would wait for ever.
  await text.next();
  return { kind: 'export', fileName: opened.fileName, text };
}

/** The first one is empty. */
async function* readChunks(port: MessagePort, sent: Promise<void>): AsyncGenerator<string> {
  try {
    yield '';
    for (;;) {
      port.postMessage(more);
      const chunk = await receive(port, sent);
      if (typeof chunk !== 'string') return;
      yield chunk;
    }
  } finally {
    port.close();
  }
}

async function receive(port: MessagePort, sent: Promise<void>): Promise<Message> {
  const ended = new AbortController();
  const onClose = () => ended.abort();
  port.once('close', onClose);
  try {
    const [message] = (await once(port, 'message', { signal: ended.signal })) as [Message];
    return message;
  } catch (error) {
    if (!ended.signal.aborted) throw error;
    await sent;
    throw new Error('the thread of an export has ended');
  } finally {
    port.off('close', onClose);
  }
}

const send = (port: MessagePort, message: Message): void => port.postMessage(message);
