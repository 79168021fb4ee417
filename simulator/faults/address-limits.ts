/**
 * The throttling of an address by the iOS store: reports say about 20 requests a minute, then 403
 * for minutes.
 */
export interface AddressLimitOptions {
  requests: number;
  windowMs: number;
  /** Each request during a block extends it. */
  blockMs: number;
}

export const standardLimits: AddressLimitOptions = {
  requests: 20,
  windowMs: 60_000,
  blockMs: 60_000,
};

interface AddressState {
  times: number[];
  blockedUntil: number;
}

export class AddressLimits {
  private readonly states = new Map<string, AddressState>();
  private readonly options: AddressLimitOptions;

  constructor(options: AddressLimitOptions) {
    this.options = options;
  }

  /** Counts the request; false when the store refuses it. */
  admit(address: string, nowMs: number): boolean {
    const { requests, windowMs, blockMs } = this.options;
    const state = this.states.get(address) ?? { times: [], blockedUntil: -Infinity };
    this.states.set(address, state);
    state.times = state.times.filter((time) => time > nowMs - windowMs);
    state.times.push(nowMs);
    if (nowMs < state.blockedUntil || state.times.length > requests) {
      state.blockedUntil = nowMs + blockMs;
      return false;
    }
    return true;
  }
}
