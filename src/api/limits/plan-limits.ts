import type { Operation } from '#contract/operation.ts';
import type { Identity } from '#domain/accounts/auth/authenticate.ts';
import { onDemandWindows, planOf, type Plan } from '#domain/base/plans/plans.ts';
import { AppError } from '#domain/base/errors.ts';
import type {
  RequestCounters,
  RequestLease,
  RequestWindow,
  WindowUsage,
} from '#domain/base/ports/request-counters.ts';

type Budgeted = Pick<Operation, 'rateClass' | 'onDemand' | 'countsAsWrite' | 'mayBeFree'>;

const renewEveryMs = 20_000;

/**
 * The windows that a request consumes: its minute, its day, and its on-demand allowance when it
 * queries a store.
 */
export function windowsOf(
  plan: Plan,
  { rateClass, onDemand, countsAsWrite = false }: Budgeted,
): RequestWindow[] {
  return [
    rateClass === 'read' && !countsAsWrite
      ? { name: 'read', seconds: 60, limit: plan.readsPerMinute }
      : // Writes, store lookups and costly reads share a limit.
        { name: 'write', seconds: 60, limit: plan.writesPerMinute },
    { name: 'day', seconds: 86_400, limit: plan.requestsPerDay },
    ...(onDemand
      ? [
          {
            name: onDemand,
            seconds: onDemandWindows[onDemand] === 'day' ? 86_400 : 3_600,
            limit: plan.onDemand[onDemand],
          } as const,
        ]
      : []),
  ];
}

/** An hour is reported as `minute`: for both, waiting is the fix (docs/decisions/0026). */
const windowNames = { 60: 'minute', 3_600: 'minute', 86_400: 'day' } as const;
const spans = { 60: 'minute', 3_600: 'hour', 86_400: 'day' } as const;

/** Releases the request's slot, which it holds until the response is sent. */
export interface Admission {
  uses: WindowUsage[];
  lease: RequestLease;
  windows: RequestWindow[];
  /** Released when nothing was done: a failed refresh does not count. */
  unusedOnFailure: RequestWindow[];
  /** For a request that was admitted without its allowance, because that is used up. */
  refusal: LimitReachedError | null;
}

/** The request limits of plans, per workspace, so that a second token adds no allowance. */
export class PlanLimits {
  private readonly counters: RequestCounters;
  private readonly open = new Set<RequestLease>();
  private readonly timer: NodeJS.Timeout;

  constructor(counters: RequestCounters) {
    this.counters = counters;
    this.timer = setInterval(() => void this.renew(), renewEveryMs).unref();
  }

  /** Throws rate_limited or on_demand_cap with the current windows, and then consumes nothing. */
  async admit(identity: Identity, operation: Budgeted): Promise<Admission> {
    const plan = planOf(identity.plan);
    const windows = windowsOf(plan, operation);
    const { lease, windows: uses } = await this.counters.take({
      workspaceId: identity.workspaceId,
      windows,
      parallel: plan.parallel,
    });
    if (lease !== null) {
      this.open.add(lease);
      return { uses, lease, windows, unusedOnFailure: windows.slice(2), refusal: null };
    }
    const refusal = refusalOf(plan, operation, uses);
    if (!operation.mayBeFree || refusal.code !== 'on_demand_cap') throw refusal;
    const { onDemand: _, ...free } = operation;
    const admission = await this.admit(identity, free);
    return { ...admission, uses: [...admission.uses, ...refusal.uses], refusal };
  }

  /**
   * The current windows, for a request that was rejected for another reason and consumes nothing.
   */
  look({ workspaceId, plan }: Identity, operation: Budgeted): Promise<WindowUsage[]> {
    return this.counters.look({ workspaceId, windows: windowsOf(planOf(plan), operation) });
  }

  async end({ lease, unusedOnFailure }: Admission, isDone: boolean): Promise<void> {
    this.open.delete(lease);
    await this.counters.end(lease, isDone ? [] : unusedOnFailure);
  }

  close(): void {
    clearInterval(this.timer);
  }

  /** Extends the lease of a long export, which keeps its slot. */
  private async renew(): Promise<void> {
    if (this.open.size > 0) await this.counters.renew([...this.open]).catch(() => undefined);
  }
}

/** An error with the windows for the rate-limit headers. */
export class LimitReachedError extends AppError {
  readonly uses: WindowUsage[];

  constructor(
    ...[code, message, detail, uses]: [...ConstructorParameters<typeof AppError>, WindowUsage[]]
  ) {
    super(code, message, detail);
    this.uses = uses;
  }
}

/** Reports the full window that resets last, after which the request is admitted. */
function refusalOf(
  plan: Plan,
  { rateClass, onDemand }: Budgeted,
  uses: WindowUsage[],
): LimitReachedError {
  const full = uses
    .filter((use) => use.used >= use.limit)
    .toSorted((a, b) => b.resetSeconds - a.resetSeconds)[0];
  const common = { rateClass, plan: plan.name, upgradeTo: plan.upgradeTo };
  if (!full) {
    const rateLimit = {
      ...common,
      window: 'concurrent' as const,
      limit: plan.parallel,
      resetSeconds: 1,
    };
    const open = {
      name: 'concurrent',
      seconds: 60 as const,
      limit: plan.parallel,
      used: plan.parallel,
      resetSeconds: 1,
    };
    const message =
      `The plan allows ${plan.parallel} concurrent ` + 'requests. Wait for one of yours to end.';
    return new LimitReachedError('rate_limited', message, { rateLimit, retryAfterSeconds: 1 }, [
      open,
    ]);
  }
  const window = windowNames[full.seconds];
  const rateLimit = { ...common, window, limit: full.limit, resetSeconds: full.resetSeconds };
  const isOnDemand = full.name === onDemand;
  const message = isOnDemand
    ? `The plan’s ${full.limit} uses of ${full.name} in this ${spans[full.seconds]} are used up.`
    : undefined;
  return new LimitReachedError(
    isOnDemand ? 'on_demand_cap' : 'rate_limited',
    message,
    { rateLimit, retryAfterSeconds: full.resetSeconds },
    [full],
  );
}

/** The window closest to its limit; among equals, the one that resets last. */
export function limitHeaders(uses: readonly WindowUsage[]): Record<string, string> {
  const left = (use: WindowUsage) => Math.max(0, use.limit - use.used);
  const [nearest] = uses.toSorted(
    (a, b) => left(a) / a.limit - left(b) / b.limit || b.resetSeconds - a.resetSeconds,
  );
  if (!nearest) return {};
  return {
    'ratelimit-limit': String(nearest.limit),
    'ratelimit-remaining': String(left(nearest)),
    'ratelimit-reset': String(nearest.resetSeconds),
    'ratelimit-policy': `"${nearest.name}";q=${nearest.limit};w=${nearest.seconds}`,
  };
}
