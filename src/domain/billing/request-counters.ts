/** So many requests of a workspace in a window. Windows open at full minutes, at full hours and at midnight, all UTC. */
export interface RequestWindow {
  name: string;
  seconds: 60 | 3_600 | 86_400;
  limit: number;
}

export interface WindowUse extends RequestWindow {
  used: number;
  /** Until the next one opens. */
  resetSeconds: number;
}

/** A request that is being answered, and what it was counted in. */
export interface RequestLease {
  id: string;
  workspaceId: number;
  takenAtMs: number;
}

export interface RequestTaking {
  workspaceId: number;
  windows: readonly RequestWindow[];
  /** How many requests may be open at once. */
  parallel: number;
}

/** `lease` is null when nothing was taken: a window is full, or else as many requests are open as may be. */
export interface RequestTaken {
  lease: RequestLease | null;
  windows: WindowUse[];
  open: number;
}

/**
 * What workspaces asked lately. Takes from all windows or from none. A lease that is not renewed for a minute ends by itself:
 * whoever held it is gone.
 */
export interface RequestCounters {
  take(taking: RequestTaking): Promise<RequestTaken>;
  /** The same without taking. */
  look(taking: Omit<RequestTaking, 'parallel'>): Promise<WindowUse[]>;
  /** The request was answered. What it did not use after all is given back, to the windows that it was taken from, if the lease still stands. */
  end(lease: RequestLease, unused: readonly RequestWindow[]): Promise<void>;
  renew(leases: readonly RequestLease[]): Promise<void>;
  close(): Promise<void>;
}
