import type { Identity } from '#domain/accounts/auth/authenticate.ts';
import type { ErrorCode } from '#contract/errors.ts';
import type { ErrorDetail } from '#domain/base/errors.ts';

/** A validated request in a form that can be sent to another thread. */
export interface HeavyRead {
  key: string;
  /** With its ids, and without the query. */
  path: string;
  identity: Identity;
  params: unknown;
  query: unknown;
  body: unknown;
  /** The instant of the request, which is the present for all that it reads. */
  nowMs: number;
}

export interface HeavyError {
  kind: 'error';
  code: ErrorCode;
  message: string;
  detail: ErrorDetail;
}

/** The outcome: the bytes of a JSON response, a page, or an error of the domain. */
export type HeavyResult =
  | { kind: 'json'; bytes: Uint8Array<ArrayBuffer> }
  | { kind: 'html'; html: string }
  | HeavyError;

export interface OpenedExport {
  kind: 'export';
  /** Without its extension. */
  fileName: string;
  /** A chunk is made when the one before was consumed. Ending it early ends the work. */
  text: AsyncGenerator<string>;
}

/** Runs heavy reads outside of this process's event loop. An aborted signal ends the work. */
export interface HeavyReads {
  /** Small workspaces, too, which are otherwise read in the process of the API. */
  servesEveryWorkspace?: boolean;
  run(read: HeavyRead, signal: AbortSignal): Promise<HeavyResult>;
  openExport(read: HeavyRead): Promise<OpenedExport | HeavyError>;
}
