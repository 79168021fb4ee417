/**
 * A number of requests of a workspace in a window. Windows open at full minutes, full hours and
 * midnight, all UTC.
 */
export interface RequestWindow {
  name: string;
  seconds: 60 | 3_600 | 86_400;
  limit: number;
}

export interface WindowUsage extends RequestWindow {
  used: number;
  /** Until the next one opens. */
  resetSeconds: number;
}

/** A request in flight, and the windows that counted it. */
export interface RequestLease {
  id: string;
  workspaceId: number;
  acquiredAtMs: number;
}

export interface RateLimitRequest {
  workspaceId: number;
  windows: readonly RequestWindow[];
  /** The maximum of concurrent requests. */
  parallel: number;
}

/**
 * `lease` is null when nothing was consumed: a window is full, or the maximum of concurrent
 * requests is reached.
 */
export interface RateLimitDecision {
  lease: RequestLease | null;
  windows: WindowUsage[];
  open: number;
}

/**
 * Counts requests of workspaces. Consumes from all windows or none. A lease that is not renewed for
 * a minute expires, because its holder is gone.
 */
export interface RequestCounters {
  take(taking: RateLimitRequest): Promise<RateLimitDecision>;
  /** Reads the windows without consuming anything. */
  look(taking: Omit<RateLimitRequest, 'parallel'>): Promise<WindowUsage[]>;
  /**
   * Ends a request. Unused consumption is released in the windows that counted it, if the lease is
   * still active.
   */
  end(lease: RequestLease, unused: readonly RequestWindow[]): Promise<void>;
  renew(leases: readonly RequestLease[]): Promise<void>;
  close(): Promise<void>;
}
