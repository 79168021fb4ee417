import type { PlanInterval, PlanName } from '#contract/choices.ts';

export type { PlanInterval, PlanName };

/** The status of a customer at the payment provider at the time of the request. */
export interface Subscription {
  id: string;
  /**
   * `running`: paid, or payment is being retried; `ended`: ran once; `unbegun`: its first payment
   * never arrived.
   */
  status: 'running' | 'ended' | 'unbegun';
  /** Null when its price is unknown to this instance. */
  plan: PlanName | null;
}

export interface PaymentEvent {
  id: string;
  type: string;
  /** The customer whose subscription may have changed; null for none. */
  customer: string | null;
  /** A subscription was paid for a further period or resumed, and not only changed. */
  isRenewal: boolean;
  /** A customer or a subscription was deleted; the provider may not know the customer any more. */
  isDeletion: boolean;
}

/**
 * Sells plans. Methods that query the provider throw PaymentError when there is no usable response
 * within 4.5 seconds.
 */
export interface Payments {
  /** The billing intervals of a plan; none when it is not sold. */
  intervalsOf(plan: PlanName): PlanInterval[];
  /** Returns the new customer's id. */
  createCustomer(customer: { workspaceId: number; email: string }): Promise<string>;
  /** The address of a checkout page for the plan. The interval must be one of `intervalsOf`. */
  checkout(order: {
    customer: string;
    workspaceId: number;
    plan: PlanName;
    interval: PlanInterval;
    successUrl: string;
    cancelUrl: string;
  }): Promise<string>;
  /**
   * Expires the customer's open checkout pages. One that was paid in the meantime stays paid, so
   * the subscription must be read afterwards.
   */
  expireCheckouts(customer: string): Promise<void>;
  /** The address of a page with the customer's plan, invoices and cards. */
  portal(visit: { customer: string; returnUrl: string }): Promise<string>;
  /** Null when the provider did not sign exactly these bytes within the last 300 seconds. */
  readEvent(sent: { body: Uint8Array; signature: string; at: Date }): Promise<PaymentEvent | null>;
  /** Cancels the customer's subscriptions at once and deletes the customer at the provider. */
  forget(customer: string): Promise<void>;
  /** All of the customer's subscriptions, also ended ones, newest first. */
  listSubscriptions(customer: string): Promise<Subscription[]>;
}

/** `unknown_customer`: the provider has no such customer. */
export class PaymentError extends Error {
  readonly failure: 'unavailable' | 'unknown_customer';

  constructor(failure: PaymentError['failure'], message: string, options?: ErrorOptions) {
    super(message, options);
    this.name = 'PaymentError';
    this.failure = failure;
  }
}
