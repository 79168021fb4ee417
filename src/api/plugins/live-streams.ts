import { PassThrough } from 'node:stream';
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { Ctx } from '#domain/base/context.ts';
import type { LiveFeed } from '#domain/scheduling/live/live-feed.ts';
import {
  encodeLiveState,
  listChangedTopics,
  readLiveStates,
  type LiveState,
} from '#domain/scheduling/live/live-state.ts';
import { onResponseClosed } from '#lib/on-response-closed.ts';
import { identify } from './credentials.ts';

const maxOfUser = 10;
const maxOfWorkspace = 50;
/** When a client reconnects whose connection was lost, and one that was not given a stream. */
const [retryMs, pollMs] = [5_000, 30_000];
/** Shorter than the silence after which proxies close a connection. */
const heartbeatMs = 20_000;
/** A client that reads this much too late is disconnected. */
const unreadBytesMax = 16_384;

/** The open streams of this process. */
export interface LiveStreams {
  /**
   * Sends the first event, and the later ones when the client accepts a stream and not too many
   * are open. A browser that gets one event asks for the next one half a minute later.
   */
  open(
    ctx: Ctx,
    since: string | undefined,
    raw: { request: FastifyRequest; reply: FastifyReply },
  ): Promise<void>;
  /** Ends all streams; their clients connect to another process. */
  close(): void;
}

export function createLiveStreams(feed: LiveFeed): LiveStreams {
  const streams = new Set<{ workspaceId: number; userId: number; end: () => void }>();
  const count = (isCounted: (stream: { workspaceId: number; userId: number }) => boolean) =>
    [...streams].filter(isCounted).length;
  const isWithinLimits = ({ workspaceId, actor: { userId } }: Ctx) =>
    count((stream) => stream.userId === userId) < maxOfUser &&
    count((stream) => stream.workspaceId === workspaceId) < maxOfWorkspace;
  return {
    async open(ctx, since, { request, reply }) {
      const isRequested =
        request.method === 'GET' && request.headers.accept?.includes('text/event-stream') === true;
      const isStream = isRequested && isWithinLimits(ctx);
      const stream = { workspaceId: ctx.workspaceId, userId: ctx.actor.userId, end: () => {} };
      // Before anything is awaited, so that requests that come together count each other.
      if (isStream) streams.add(stream);
      let state: LiveState;
      try {
        state = (await readLiveStates(ctx, [ctx.workspaceId])).get(ctx.workspaceId)!;
      } catch (error) {
        streams.delete(stream);
        throw error;
      }
      const first = `retry: ${isStream ? retryMs : pollMs}\n${formatEvent(state, since)}`;
      void reply.code(200).headers({
        'content-type': 'text/event-stream; charset=utf-8',
        'cache-control': 'no-store, no-transform',
        // nginx would collect the events.
        'x-accel-buffering': 'no',
      });
      if (!isStream) {
        void reply.send(first);
        return;
      }
      const body = new PassThrough();
      const end = follow(ctx, { feed, request, body, sent: encodeLiveState(state) });
      stream.end = end;
      onResponseClosed(reply.raw, () => {
        streams.delete(stream);
        end();
      });
      body.once('error', end);
      body.write(first);
      void reply.send(body);
    },
    close() {
      for (const { end } of streams) end();
      feed.close();
    },
  };
}

/** Writes the later events and heartbeats while the credential is valid for this workspace. */
function follow(
  ctx: Ctx,
  stream: { feed: LiveFeed; request: FastifyRequest; body: PassThrough; sent: string },
): () => void {
  const { feed, request, body } = stream;
  let { sent } = stream;
  let isOver = false;
  const write = async (toText: () => string) => {
    const identity = await identify(request).catch(() => null);
    if (isOver) return;
    if (identity?.workspaceId !== ctx.workspaceId || body.writableLength > unreadBytesMax) end();
    else body.write(toText());
  };
  const unsubscribe = feed.subscribe(ctx.workspaceId, (state) => {
    if (encodeLiveState(state) === sent) return;
    void write(() => {
      const text = formatEvent(state, sent);
      sent = encodeLiveState(state);
      return text;
    });
  });
  const heartbeat = setInterval(() => void write(() => ':\n\n'), heartbeatMs);
  const end = () => {
    if (isOver) return;
    isOver = true;
    clearInterval(heartbeat);
    unsubscribe();
    body.end();
  };
  return end;
}

function formatEvent(state: LiveState, since: string | undefined): string {
  const topics = since === undefined ? [] : listChangedTopics(since, state);
  return `id: ${encodeLiveState(state)}\nevent: change\ndata: ${JSON.stringify({ topics })}\n\n`;
}
